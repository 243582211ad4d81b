import { routes } from '#platform/http/contract/openapi';
import type { ApiParts } from '#platform/http/routes/parts';
import { findSecret, refuseSecret, useSecret } from './verbs.ts';

/** Secrets that people have entered, for the servers that asked for them. */
export function serveSecrets({ engine, serve }: ApiParts): void {
  serve(routes.findSecret, ({ caller, body }) => findSecret(engine, caller, body));
  serve(routes.useSecret, ({ caller, params, body }) => useSecret(engine, caller, params.id, body));
  serve(routes.refuseSecret, ({ caller, params, body }) => refuseSecret(engine, caller, params.id, body));
}
