import type { Engine } from '#platform/nodes/verbs/engine';
import type { ElicitationId, ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { openDecision, openQuestion } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import { isOutcome } from '../../providers/expects.ts';
import { ProvenOutcome, type ProvenStep } from '#requests/facts/contract/proven';

/**
 * What providers have confirmed in these earlier steps of a call, in this order. Problem `INVALID_INPUT`, at its place, if one
 * is of another call, or is not a payment or a signature that its provider has confirmed.
 */
export async function provenSteps(
  { reader, ring }: Pick<Engine, 'reader' | 'ring'>,
  after: ElicitationId[],
  call: ToolCallId | null,
): Promise<ProvenStep[]> {
  const rows = call ? await reader.callElicitations(call) : [];
  const steps = after.map((id) => {
    const row = rows.find((each) => each.id === id);
    return row ? provenStep(ring, row) : null;
  });
  const errors = steps.flatMap((step, at) => (step ? [] : [{ path: ['after', at], message: unproven }]));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
  return steps.filter((step) => step !== null);
}

const unproven = 'Name a payment or a signature of this call that its provider has confirmed.';

/** What its provider has confirmed in this step; null if nothing. */
export function provenStep(ring: Engine['ring'], row: ElicitationRow): ProvenStep | null {
  const { expects } = openQuestion(ring, row);
  if (row.status !== 'accepted' || !expects || !isOutcome(expects)) return null;
  const { data } = ProvenOutcome.safeParse(openDecision(ring, row)?.content);
  return data ? { ...data, elicitation: row.id, digest: row.digest, kind: expects.kind, for: expects.for } : null;
}
