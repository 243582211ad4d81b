import type { CreatedAdminToken } from './contract.ts';
import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '#people/changes/verbs/changes';
import { defaultTokenLife, listTokens, prepareToken, revokeToken } from './verbs/admin-tokens.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** The tokens by which programs administer. */
export function serveAdminTokenRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listAdminTokens, async ({ caller }) => ({ tokens: await listTokens(engine, caller) }));

  serve(routes.createAdminToken, async ({ caller, body: { networks = [], ...terms } }) => {
    const expiresAt = terms.expiresAt ?? engine.now() + defaultTokenLife;
    const { token, record } = prepareToken(caller, { ...terms, networks, expiresAt });
    const shown: CreatedAdminToken = { kid: record.kid, name: record.name, token };
    return answerChange(await requestChange(engine, caller, 'create-token', record), 201, () => shown, shown);
  });

  serve(routes.revokeAdminToken, async ({ caller, params }) => revokeToken(engine, caller, params.kid));
}
