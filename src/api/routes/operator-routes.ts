import type { Express } from 'express';
import { openApiDocument } from '../../contract/openapi.ts';
import { routes } from '../../contract/routes.ts';
import { latestProof } from '../../engine/log/standing-proof.ts';
import { Problem } from '../../model/problem.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { serve } from '../http/route.ts';

/** What operators and their tools call. */
export function serveOperatorRoutes(
  app: Express,
  { authenticate, engine, leaving, readMetrics, shutdown, version }: ApiParts,
): void {
  const document = openApiDocument(version);
  serve(app, routes.openApi, authenticate, async () => ({ status: 200, body: document }));
  // Without a token of the operator no one is let in.
  serve(app, routes.readMetrics, authenticate, async ({ response }) => {
    const type = routes.readMetrics.file;
    response
      .set('cache-control', 'no-store')
      .type(type)
      .send(await readMetrics());
    return undefined;
  });
  serve(app, routes.isAlive, authenticate, async () => ({ status: 200, body: { status: 'alive' } }));
  serve(app, routes.isReady, authenticate, async () => {
    if (leaving.aborted || shutdown.aborted) throw new Problem('shutting-down');
    await engine.outbox.head();
    const proof = await latestProof(engine);
    const changed = proof?.isWhole === false ? [{ code: 'log-changed' }] : [];
    const warnings = [...engine.health.warnings(), ...changed];
    return { status: 200, body: { status: 'ready', warnings, ...(proof && { proof }) } };
  });
}
