import { serverOfName } from '../engine/users/in-directory.ts';
import {
  addWorkload,
  listWorkloads,
  newWorkload,
  removeWorkload,
  type WorkloadEngine,
} from '../engine/users/workloads.ts';
import type { WorkloadTerms } from '#protocol/model/workload';

/** The operator's commands for workloads, which ask as servers by tokens of their issuers. */
export interface WorkloadsOperator {
  /** From now on tokens that fit are taken as a key of the server of this name. */
  add(server: string, terms: WorkloadTerms): Promise<{ kid: string }>;
  list(): ReturnType<typeof listWorkloads>;
  /** At every node at once. */
  remove(kid: string): Promise<void>;
}

export const createWorkloadsOperator = (engine: WorkloadEngine): WorkloadsOperator => ({
  async add(server, terms) {
    const { id } = await serverOfName(engine, server);
    return addWorkload(engine, 'operator', newWorkload(id, terms));
  },
  list: () => listWorkloads(engine, 'operator'),
  remove: (kid) => removeWorkload(engine, 'operator', kid),
});
