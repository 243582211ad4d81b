import { sealVerdict } from '#requests/asking/verbs/question';
import type { PolicyTerms } from '#requests/state/verbs/permissions';
import type { ElicitationInput } from '#requests/machine/rules/machine';
import { begin } from '#requests/machine/rules/step';
import type { ElicitationId } from '#platform/model/id';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { Asking } from '../nodes/asking.ts';
import { entryOf } from '../databases/rows.ts';
import type { TestServer } from '../nodes/server.ts';

interface Staging extends Partial<ElicitationInput> {
  terms?: Partial<PolicyTerms>;
  parts?: Record<string, unknown>;
}

/** Asks, and gives what was asked these stages and terms, as a policy would have. */
export async function openStaged(
  { engine }: Pick<TestServer, 'engine'>,
  asking: Asking,
  { terms, parts, ...input }: Staging,
): Promise<OpenedElicitation> {
  const opened = await asking.open(parts);
  const id = opened.id as ElicitationId;
  const row = await engine.reader.elicitation(id);
  if (!row) throw new TypeError('it was not opened');
  const { audience, mode, stages, openedAt, deadlineAt, onTimeout, notBefore, reminders } = row.state.context;
  const stored = { audience, mode, stages, openedAt, deadlineAt, onTimeout, notBefore, reminders };
  const { state } = begin({ ...stored, ...input });
  const { cause, caller, deadlineAt: until } = state.context;
  const { revision, digest, policy, risk, payload } = row;
  const explanation = terms ? sealVerdict(engine.ring, row, terms) : row.explanation;
  const isStored = await engine.transactor.change({
    row,
    status: 'open',
    cause,
    caller,
    state,
    deadlineAt: until,
    closedAt: null,
    answer: null,
    vote: null,
    topics: ['changed'],
    revised: { revision, digest, policy, risk, payload, explanation, alsoBy: [], isTold: false },
    entry: entryOf(openedAt, id),
  });
  if (!isStored) throw new TypeError('it was not staged');
  return { ...opened, deadlineAt: state.context.deadlineAt };
}
