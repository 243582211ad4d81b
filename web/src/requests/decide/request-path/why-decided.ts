import type { ElicitationDetail } from '#requests/inbox/contract/inbox';

export type Considered = ElicitationDetail['policy']['considered'][number];

/** Why of these policies, in the order in which they count, the decided ones decided. */
export type Why = 'default' | 'together' | 'denial' | 'failed' | 'only' | 'first' | 'next';

export function whyDecided(considered: Considered[]): Why {
  const [policy, ...others] = considered.filter(({ decided }) => decided);
  if (policy === undefined) return 'default';
  if (others.length > 0) return 'together';
  if (policy.outcome === 'deny') return 'denial';
  if (policy.result === 'failed') return 'failed';
  const applying = considered.filter(({ result }) => result !== 'not-applied');
  if (applying.length === 1) return 'only';
  // What allows, but must not here, is passed over.
  return applying[0] === policy ? 'first' : 'next';
}
