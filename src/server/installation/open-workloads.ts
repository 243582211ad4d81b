import { createWorkloadCheck } from '#gateway/bearer/check-workload';
import type { Engine } from '../engine/engine.ts';
import type { ServerOptions } from './server-options.ts';

/** Verifies tokens of workloads; only the addresses of the configured issuers are called. */
export const openWorkloads = (
  { workloadIssuers: issuers = [] }: Pick<ServerOptions, 'workloadIssuers'>,
  now: () => number,
): Pick<Engine, 'readWorkload' | 'workloadIssuers'> => ({
  readWorkload: createWorkloadCheck(issuers, now),
  workloadIssuers: issuers.map(({ issuer }) => issuer),
});
