import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '#people/changes/verbs/changes';
import { listWorkloads, newWorkload, removeWorkload } from './verbs.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

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
