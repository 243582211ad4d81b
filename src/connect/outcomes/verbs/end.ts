import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import { isOutcome } from '../../providers/expects.ts';
import type { Wanted } from '../rules.ts';

/** What became of a payment or a signature. */
export interface OutcomeEnd {
  end: 'accepted' | 'declined' | 'mismatch' | 'unsettled';
  provider: string;
  server: string;
  expected: Wanted;
}

/** Null if the question expected neither, or ended by its deadline or because someone withdrew it. */
export function findOutcomeEnd(
  { outcomes, ring }: Pick<Engine, 'outcomes' | 'ring'>,
  row: ElicitationRow,
): OutcomeEnd | null {
  const { expects } = openQuestion(ring, row);
  const end = endOf(row);
  if (!expects || !isOutcome(expects) || end === null) return null;
  const provider = outcomes.find(({ key }) => key === expects.provider)?.label ?? expects.provider;
  return { end, provider, server: row.serverName, expected: expects };
}

function endOf({ status, cause }: ElicitationRow): OutcomeEnd['end'] | null {
  if (status === 'accepted' || status === 'declined') return status;
  return cause === 'mismatch' || cause === 'unsettled' ? cause : null;
}
