import type { Express } from 'express';
import type { WorkloadList } from '#protocol/contract/users/workload';
import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { listWorkloads, newWorkload, removeWorkload } from '../../../engine/users/workloads.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { serve } from '../../http/route.ts';
import { answerChange } from '../answer-change.ts';

/** The workloads that ask as MCP servers without a key. */
export function serveWorkloadRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listWorkloads, authenticate, async ({ caller }) => {
    const workloads = (await listWorkloads(engine, caller)).map(entryOf);
    const body: WorkloadList = { workloads, issuers: [...engine.workloadIssuers] };
    return { status: 200, body };
  });

  serve(app, routes.addWorkload, authenticate, async ({ caller, params, body: { claims = {}, ...terms } }) => {
    const workload = newWorkload(params.id, { ...terms, claims });
    return answerChange(await requestChange(engine, caller, 'add-workload', workload), 201, ({ kid }) => ({ kid }));
  });

  serve(app, routes.removeWorkload, authenticate, async ({ caller, params }) => {
    await removeWorkload(engine, caller, params.kid);
    return { status: 204 };
  });
}

type Stored = Awaited<ReturnType<typeof listWorkloads>>[number];

const entryOf = ({ claims, ...workload }: Stored) => ({ ...workload, claims: { ...claims } });
