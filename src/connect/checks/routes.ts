import { routes } from '#platform/http/contract/openapi';
import type { ApiParts } from '#platform/http/routes/parts';
import { listProviders } from './verbs.ts';

/** The providers of the settings, for operators. */
export function serveProviders({ engine, serve }: ApiParts): void {
  serve(routes.listProviders, async () => ({ providers: await listProviders(engine) }));
}
