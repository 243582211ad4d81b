import { auditEntry, type Actor, type AuditEvent } from '../audit/entry.ts';
import { newId } from '../crypto/random.ts';
import { dueTimer, isScheduled, step, type Step, type StepEvent } from '../machine/step.ts';
import type { ElicitationId } from '../model/id.ts';
import { Problem } from '../model/problem.ts';
import type {
  ElicitationChange,
  ElicitationRow,
  NewBreakGlass,
  NewGrant,
  NewRemark,
  NewVote,
  ReplacedQuestion,
  RevisedQuestion,
} from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';

type AboutElicitation = Pick<
  Extract<AuditEvent, { type: 'elicitation.visited' }>,
  'elicitation' | 'digest' | 'revision' | 'policy' | 'from' | 'to'
>;

/** What somebody wants to happen, decided on one version of the row. */
export interface Intent {
  actor: Actor;
  event: StepEvent;
  /** What the log says of it. */
  says(about: AboutElicitation): AuditEvent;
  vote?: NewVote;
  /** Sealed; stored where the step closes the elicitation. */
  answer?: Uint8Array;
  /** An edit: the new question, and the one it replaces. */
  revised?: RevisedQuestion;
  replaced?: ReplacedQuestion;
  remark?: NewRemark;
  breakGlass?: NewBreakGlass;
  grant?: NewGrant;
}

/** A vote that lost its race reads the row again; this many times at most. */
const mostTries = 20;

/**
 * The one door for state changes: load, pure step, one commit of snapshot, vote, audit entry and outbox row.
 * `decide` sees the row it decides on and may refuse by throwing. What is due is taken first, so an event never
 * passes a deadline. Of any number racing, each is decided on the row as the one before left it.
 */
export async function changeElicitation(
  engine: Engine,
  id: ElicitationId,
  decide: (row: ElicitationRow, now: number) => Intent | null | Promise<Intent | null>,
): Promise<ElicitationRow> {
  for (let tries = 0; tries < mostTries; tries++) {
    const row = await engine.reader.elicitation(id);
    if (!row) throw new Problem('not-found');
    const now = timeAfter(engine, row);
    const overdue = timerIntent(row, now);
    const intent = overdue ?? (await decide(row, now));
    if (!intent) return row;
    const changed = await commit(engine, row, intent, now);
    if (changed && !overdue) return changed;
  }
  throw new Problem('write-conflict');
}

/** Clocks of nodes differ; within one elicitation time only goes on, so its log reads in order. */
const timeAfter = (engine: Engine, { state }: ElicitationRow): number => Math.max(engine.now(), state.context.now + 1);

/** Stores one step; null where another was first. */
async function commit(
  engine: Engine,
  row: ElicitationRow,
  intent: Intent,
  now: number,
): Promise<ElicitationRow | null> {
  const change = changeOf(row, intent, step(row.state, intent.event), now);
  if (!(await engine.transactor.change(change))) return null;
  const { status, cause, caller, state, deadlineAt, closedAt, answer } = change;
  const version = row.version + 1;
  return { ...row, version, status, cause, caller, state, deadlineAt, closedAt, answer, ...change.revised };
}

function changeOf(
  row: ElicitationRow,
  intent: Intent,
  { state, status, topic, alerts }: Step,
  now: number,
): ElicitationChange {
  const { actor, event: _taken, says, vote = null, answer: _answer, ...parts } = intent;
  const { id, version, serverId } = row;
  const { digest, revision, policy } = intent.revised ?? row;
  const about = { elicitation: id, digest, revision, policy, from: row.status, to: status };
  const { cause, caller, deadlineAt } = state.context;
  const isClosing = status !== 'open';
  return {
    id,
    version,
    serverId,
    status,
    cause,
    caller,
    state,
    deadlineAt,
    topics: [topic, ...alerts],
    vote,
    ...parts,
    closedAt: isClosing ? now : null,
    answer: answerAfter(row, intent, state, status),
    entry: auditEntry(newId('entry'), now, actor, says(about)),
  };
}

/** What was said with the vote that approved all is kept until its time; of what is open nothing else is. */
function answerAfter(
  row: ElicitationRow,
  { answer }: Intent,
  state: Step['state'],
  status: Step['status'],
): Uint8Array | null {
  const isWaiting = isScheduled(state);
  if (status === 'open' && !isWaiting) return null;
  const kept = isScheduled(row.state) && (isWaiting || status === 'accepted') ? row.answer : null;
  return answer ?? kept;
}

function timerIntent({ state, status }: ElicitationRow, now: number): Intent | null {
  const due = status === 'open' ? dueTimer(state, now) : null;
  if (!due) return null;
  const event: StepEvent = { type: 'timer', key: due.key, at: now };
  return { actor: { kind: 'timer' }, event, says: (about) => ({ type: timerType(due.key), ...about }) };
}

/** A timer's key begins with the name of its delay. */
function timerType(key: string) {
  if (key.startsWith('xstate.after.remind.')) return 'elicitation.reminded';
  if (key.startsWith('xstate.after.escalate.')) return 'elicitation.escalated';
  return key.startsWith('xstate.after.start.') ? 'elicitation.started' : 'elicitation.expired';
}
