import { serverOfName } from '#people/directory/verbs/directory';
import { addWorkload, listWorkloads, newWorkload, removeWorkload, type WorkloadEngine } from './verbs.ts';
import type { WorkloadTerms } from './contract.ts';

/** The operator's commands for workloads, which ask as servers by tokens of their issuers. */
export const createWorkloadsOperator = (engine: WorkloadEngine) => ({
  /** From now on tokens that fit are taken as a key of the server of this name. */
  async add(server: string, terms: WorkloadTerms) {
    const { id } = await serverOfName(engine, server);
    return addWorkload(engine, 'operator', newWorkload(id, terms));
  },
  list: () => listWorkloads(engine, 'operator'),
  /** At every node at once. */
  remove: (kid: string) => removeWorkload(engine, 'operator', kid),
});
