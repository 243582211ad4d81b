import { reopenedBy, withoutUser } from '../../../machine/rules/machine/ballots.ts';
import type { ElicitationContext } from '../../../machine/rules/machine/context.ts';
import { nameInPlace, restarts } from '../../../machine/rules/machine/escalation.ts';
import { dueTimer, type Timer } from '../../../machine/rules/step/step.ts';
import type { UserId } from '#platform/model/id';
import { votersIn } from '../../../voting/contract/quorum/quorum.ts';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../store/row/row.ts';
import { isRepeated, stillCounts, personLost } from '#policies/deciding/rules/standing';
import type { Intent } from '../intent/intent.ts';
import type { DecisionBasis } from '#policies/deciding/verbs/rules';
import type { Users } from '#policies/deciding/verbs/rules';
import { refreshRow, type RevalidationEngine } from './revalidate.ts';

/**
 * Returns the change that must be applied before any other, or null if there is none: a due timer, so that no event
 * passes a deadline; or the removal of votes by people who can no longer vote, who are no longer approvers of their
 * stage, who turn out to be the requester, or who have voted before under another account.
 */
export async function precedingChange(
  engine: RevalidationEngine,
  row: ElicitationRow,
  now: number,
  basis: DecisionBasis,
): Promise<Intent | null> {
  if (row.status !== 'open') return null;
  const due = dueTimer(row.state, now);
  const isEnough = due !== null && timerType(due) !== 'elicitation.started';
  const voided = isEnough ? null : await voidedVotes(engine, row, now, basis);
  return voided ?? (due && timed(row, due, now));
}

const timed = ({ state }: ElicitationRow, due: Timer, at: number): Intent => ({
  actor: { kind: 'timer' },
  event: { type: 'timer', key: due.key, at },
  says: (fields) => {
    const type = timerType(due);
    if (type === 'elicitation.started') return { type, approvers: approversIn(state.context), ...fields };
    if (type !== 'elicitation.escalated') return { type, ...fields };
    const inPlace = nameInPlace(state.context);
    return {
      type,
      ...(restarts(state.context) && { restarts: true }),
      ...(inPlace !== null && { inPlace }),
      ...fields,
    };
  },
});

const approversIn = ({ votes }: ElicitationContext): UserId[] =>
  votes.flatMap(({ by, action }) => (action === 'accept' ? [by as UserId] : []));

/** A timer's key begins with the name of its delay. */
function timerType({ key }: Timer) {
  if (key.startsWith('xstate.after.remind.')) return 'elicitation.reminded';
  if (key.startsWith('xstate.after.escalate.')) return 'elicitation.escalated';
  return key.startsWith('xstate.after.start.') ? 'elicitation.started' : 'elicitation.expired';
}

async function voidedVotes(
  engine: RevalidationEngine,
  row: ElicitationRow,
  at: number,
  basis: DecisionBasis,
): Promise<Intent | null> {
  const { votes } = row.state.context;
  if (votes.length === 0) return null;
  const { stages } = readableRowNow(engine, row, await basis.users(), at).state.context;
  const vote = votes.find((vote) => !stillCounts(vote, stages) || isRepeated(vote, votes, stages));
  if (!vote) return null;
  const user = personLost(vote, stages) as UserId;
  const { stage: of } = vote;
  const reopens = reopenedBy(row.state.context, withoutUser(row.state.context, { user, stage: of }));
  return {
    actor: { kind: 'directory' },
    event: { type: 'void', user, stage: of, at },
    says: (fields) => ({ type: 'elicitation.votes-voided', user, of, ...(reopens !== null && { reopens }), ...fields }),
  };
}

/**
 * A request that was erased, or sealed under a missing key, can still be cancelled; of its voters only their role is
 * checked.
 */
function readableRowNow(engine: RevalidationEngine, row: ElicitationRow, users: Users, now: number): ElicitationRow {
  const persons = row.state.context.votes.flatMap(votersIn);
  try {
    return refreshRow(engine, row, users, now, persons);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const gone = persons.filter((person) => !users.voters.has(person));
    const { context } = row.state;
    const stages = context.stages.map((stage) => ({ ...stage, excluded: [...stage.excluded, ...gone] }));
    return { ...row, state: { ...row.state, context: { ...context, stages } } };
  }
}
