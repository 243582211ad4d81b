import { openApiDocument, routes } from '../../http/contract/openapi.ts';
import type { ReadyWarning } from '../contract/ready.ts';
import { formatWarning } from '#messages/warning-sentences';
import { warningCodes } from '../contract/node-warning.ts';
import { Problem } from '../../model/problem.ts';
import type { ApiParts } from '../../http/routes/parts.ts';
import type { StandingProof } from '#audit/search/contract';

/** Serves routes of operators and their tools. */
export function serveOperatorRoutes({
  chats,
  checkReadiness,
  engine,
  leaving,
  readMetrics,
  shutdown,
  version,
  serve,
}: ApiParts): void {
  // Made when it is first read: making it takes longer than the rest of the app.
  let document: Record<string, unknown> | null = null;
  serve(routes.openApi, async () => (document ??= openApiDocument(version)));
  // Without a token of the operator, metrics are closed.
  serve(routes.readMetrics, async ({ response }) => {
    const type = routes.readMetrics.file;
    response
      .set('cache-control', 'no-store')
      .type(type)
      .send(await readMetrics());
  });
  serve(routes.isAlive, async () => ({ status: 'alive' as const }));
  serve(routes.isReady, async () => {
    if (leaving.aborted || shutdown.aborted) throw new Problem('shutting-down');
    engine.health.assertStores(performance.now());
    const proof = await checkReadiness().catch(adviseOperator);
    const warnings = warningsOf(engine, proof);
    const witnesses = engine.health.witnesses();
    const streams = engine.health.streams();
    const detail = {
      ...(warnings.length > 0 && { advice: warnings.map(formatInFull) }),
      ...(proof && { proof }),
      ...(streams.length > 0 && { streams }),
      ...(witnesses.length > 0 && { witnesses }),
    };
    return { status: 'ready' as const, warnings, ...detail };
  });
  serve(routes.readSystem, async () => {
    const began = performance.now();
    const [proof, nodes, silentNodes, backupAt] = await Promise.all([
      checkReadiness(),
      engine.nodes.live(),
      engine.nodes.silent(),
      engine.readLastBackup(),
    ]);
    return {
      nodes: nodes.map(({ id, settings }) => ({ id, version: settings?.['version']?.toString() ?? null })),
      silentNodes,
      databaseMs: Math.round(performance.now() - began),
      sendsMails: engine.sendsMails,
      chats: chats.map(({ name }) => name),
      warnings: warningsOf(engine, proof).map((warning) => ({
        warning,
        since: engine.health.since(warning.code) ?? proof?.at ?? engine.now(),
      })),
      proof,
      streams: engine.health.streams(),
      witnesses: engine.health.witnesses(),
      backupAt,
    };
  });
}

const warningsOf = ({ health }: ApiParts['engine'], proof: StandingProof | null): ReadyWarning[] =>
  [...health.warnings(), ...(proof?.isWhole === false ? [{ code: 'log-changed' as const }] : [])].sort(
    (warning, other) => warningCodes.indexOf(warning.code) - warningCodes.indexOf(other.code),
  );

/** Rewords a problem for the operator, who has no request to send again. */
function adviseOperator(cause: unknown): never {
  const isAway = cause instanceof Problem && cause.code === 'database-unavailable';
  const detail = 'Look at PostgreSQL and the way to it: it does not answer this node, whose log has the reason.';
  throw isAway ? new Problem('database-unavailable', { detail, cause }) : cause;
}

function formatInFull(warning: ReadyWarning): string {
  const { what, means, todo } = formatWarning(warning, (at) => new Date(at).toISOString());
  return `${what}. ${means} ${todo}`;
}
