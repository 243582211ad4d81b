import { dueTimer, type Timer } from '../../machine/step.ts';
import type { UserId } from '../../model/id.ts';
import { usersOf } from '../../model/quorum.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import type { Intent } from './intent.ts';
import { requestersOf } from './requesters.ts';
import type { Users } from '../rules.ts';

/**
 * What must happen to an elicitation before anything else does, or null: what is due, so that no event passes a
 * deadline; and of what starts or is done by somebody, the votes of those who may vote no more are void before it, and of those who are known by now as who asked.
 */
export async function precedingChange(
  engine: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  now: number,
  users: () => Promise<Users>,
): Promise<Intent | null> {
  if (row.status !== 'open') return null;
  const due = dueTimer(row.state, now);
  const isEnough = due !== null && timerType(due) !== 'elicitation.started';
  const voided = isEnough ? null : await voidedVotes(engine, row, now, users);
  return voided ?? (due && timed(due, now));
}

const timed = (due: Timer, at: number): Intent => ({
  actor: { kind: 'timer' },
  event: { type: 'timer', key: due.key, at },
  says: (about) => ({ type: timerType(due), ...about }),
});

/** A timer's key begins with the name of its delay. */
function timerType({ key }: Timer) {
  if (key.startsWith('xstate.after.remind.')) return 'elicitation.reminded';
  if (key.startsWith('xstate.after.escalate.')) return 'elicitation.escalated';
  return key.startsWith('xstate.after.start.') ? 'elicitation.started' : 'elicitation.expired';
}

async function voidedVotes(
  engine: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  at: number,
  users: () => Promise<Users>,
): Promise<Intent | null> {
  const voters = row.state.context.votes.flatMap(usersOf);
  if (voters.length === 0) return null;
  const known = await users();
  const requesters = readableRequesters(engine, row, known);
  const user = voters.find((one) => !known.voters.has(one) || requesters.has(one));
  if (user === undefined) return null;
  return {
    actor: { kind: 'directory' },
    event: { type: 'void', user, at },
    says: (about) => ({ type: 'elicitation.votes-voided', user: user as UserId, ...about }),
  };
}

/** What was erased, or sealed under a key that is gone, can still be cancelled. */
function readableRequesters(engine: Pick<Engine, 'ring'>, row: ElicitationRow, known: Users): ReadonlySet<string> {
  try {
    return requestersOf(engine, row, known);
  } catch (error) {
    if (error instanceof Problem) return new Set();
    throw error;
  }
}
