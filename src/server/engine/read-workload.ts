import type { ProvenWorkload } from '#protocol/model/workload';

/** What a token of a workload says, verified by the keys of its issuer; or why it is refused, for the log alone. */
export type ReadWorkload = (
  token: string,
) => Promise<{ state: 'valid'; token: ProvenWorkload } | { state: 'refused'; why: string }>;
