import { auditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import { isScheduled, step, type Step } from '../../../machine/rules/step/step.ts';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { nextRow, type ElicitationChange, type ElicitationRow } from '../../store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../intent/intent.ts';
import { precedingChange } from './preceding-change.ts';
import { createDecisionBasis, type DecisionBasis } from '#policies/deciding/verbs/rules';
import { timeAfter } from '#platform/nodes/verbs/lists';

/** The parts of an engine that changes need. */
export type ChangingEngine = Pick<
  Engine,
  'reader' | 'transactor' | 'rules' | 'ring' | 'environment' | 'defaults' | 'now'
>;

/** A vote that lost its race reads the row again; this many times at most. */
const maxTries = 20;

/**
 * The one door for state changes: load, pure step, one commit of snapshot, vote, audit entry and outbox row.
 * `decide` sees the row it decides on, may read the people and the policies of that moment, and may refuse by throwing.
 * Due timers are applied first, and votes that no longer count are voided. Racing changes are decided one after the
 * other, each on the row as the one before left it, and on people and policies that are unchanged when it commits.
 */
export async function changeElicitation(
  engine: ChangingEngine,
  id: ElicitationId,
  decide: (row: ElicitationRow, now: number, basis: DecisionBasis) => Intent | null | Promise<Intent | null>,
): Promise<ElicitationRow> {
  for (let lost = 0; lost < maxTries;) {
    const read = await engine.reader.elicitationNow(id);
    if (!read) throw new Problem('not-found');
    const { row, epoch } = read;
    const now = timeAfter(engine, row.state.context.now);
    const basis = createDecisionBasis(engine.rules.at(epoch));
    const first = await precedingChange(engine, row, now, basis);
    const intent = first ?? (await decide(row, now, basis));
    if (!intent) return row;
    const changed = await commit(engine, row, intent, { now, epoch: basis.epoch() });
    if (changed && !first) return changed;
    if (!changed) lost += 1;
  }
  throw new Problem('write-conflict');
}

/** Stores one step; null if another change was first. */
async function commit(
  engine: ChangingEngine,
  row: ElicitationRow,
  intent: Intent,
  { now, epoch }: { now: number; epoch: ReturnType<DecisionBasis['epoch']> },
): Promise<ElicitationRow | null> {
  const change = { ...changeOf(row, intent, step(row.state, intent.event), now), epoch };
  return (await engine.transactor.change(change)) ? nextRow(change) : null;
}

function changeOf(
  row: ElicitationRow,
  intent: Intent,
  { state, status, topic, alerts }: Step,
  now: number,
): Omit<ElicitationChange, 'epoch'> {
  const { actor, event: _taken, says, vote = null, answer: _answer, ...parts } = intent;
  const { digest, revision, policy } = intent.revised ?? row;
  const fields = {
    ...requestProgress({ ...row, policy }, now),
    elicitation: row.id,
    digest,
    revision,
    from: row.status,
    to: status,
  };
  const { cause, caller, deadlineAt } = state.context;
  const isClosing = status !== 'open';
  return {
    row,
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
    entry: auditEntry(newId('entry'), now, actor, says(fields)),
  };
}

/** A scheduled request keeps the comment of its last approval; an open request keeps no comment. */
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

/** The row with all due timers applied, as a reader should see it. */
export const currentElicitation = (engine: ChangingEngine, id: ElicitationRow['id']): Promise<ElicitationRow> =>
  changeElicitation(engine, id, () => null);
