import { routes } from '#platform/http/contract/openapi';
import type { ApiParts } from '#platform/http/routes/parts';
import { Problem } from '#platform/model/problem';
import { clientDocument } from './verbs/registration.ts';

/** This installation, as issuers read of it. */
export function serveAuto({ engine, serve }: ApiParts): void {
  serve(routes.readClientDocument, async ({ params }) => {
    const document = clientDocument(engine, params.issuer);
    if (document) return document;
    throw new Problem('not-found');
  });
}
