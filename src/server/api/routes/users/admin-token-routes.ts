import type { CreatedAdminToken } from '#protocol/contract/users/admin-token';
import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { defaultTokenLife, listTokens, prepareToken, revokeToken } from '../../../engine/users/admin-tokens.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { answerChange } from '../answer-change.ts';

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
