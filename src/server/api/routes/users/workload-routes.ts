import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { listWorkloads, newWorkload, removeWorkload } from '../../../engine/users/workloads.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { answerChange } from '../answer-change.ts';

/** The workloads that ask as MCP servers without a key. */
export function serveWorkloadRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listWorkloads, async ({ caller }) => {
    const workloads = (await listWorkloads(engine, caller)).map(entryOf);
    return { workloads, issuers: [...engine.workloadIssuers] };
  });

  serve(routes.addWorkload, async ({ caller, params, body: { claims = {}, ...terms } }) => {
    const workload = newWorkload(params.id, { ...terms, claims });
    return answerChange(await requestChange(engine, caller, 'add-workload', workload), 201, ({ kid }) => ({ kid }));
  });

  serve(routes.removeWorkload, async ({ caller, params }) => removeWorkload(engine, caller, params.kid));
}

type Stored = Awaited<ReturnType<typeof listWorkloads>>[number];

const entryOf = ({ claims, ...workload }: Stored) => ({ ...workload, claims: { ...claims } });
