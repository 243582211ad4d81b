import { createWorkloadCheck } from '#platform/bearer/tokens';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ServerOptions } from '#server/options';

/** Verifies tokens of workloads; only the addresses of the configured issuers are called. */
export const openWorkloads = (
  { workloadIssuers: issuers = [] }: Pick<ServerOptions, 'workloadIssuers'>,
  now: () => number,
): Pick<Engine, 'readWorkload' | 'workloadIssuers'> => ({
  readWorkload: createWorkloadCheck(issuers, now),
  workloadIssuers: issuers.map(({ issuer }) => issuer),
});
