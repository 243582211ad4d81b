import type { CreatedKey } from './contract/key.ts';
import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '#people/changes/verbs/changes';
import { prepareRotation, networksOf, findKey, listKeys, newServerKey, revokeKey } from './verbs/keys.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** The keys of MCP servers. */
export function serveKeyRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listKeys, async ({ caller, query }) => listKeys(engine, caller, query));

  serve(routes.createKey, async ({ caller, body: { server, ...terms } }) => {
    const { key, record: stored } = newServerKey(server, terms);
    const shown: CreatedKey = { server, kid: stored.kid, key };
    return answerChange(await requestChange(engine, caller, 'create-key', stored), 201, () => shown, shown);
  });

  serve(routes.rotateKey, async ({ caller, params: { kid: replaces }, body: { overlapMs } }) => {
    const { key, record: stored } = await prepareRotation(engine, caller, replaces, overlapMs);
    const shown = { server: stored.server, kid: stored.kid, key, replaces };
    return answerChange(
      await requestChange(engine, caller, 'create-key', stored),
      201,
      ({ endsAt }) => ({ ...shown, endsAt }),
      shown,
    );
  });

  serve(routes.changeKey, async ({ caller, params: { kid }, body: { networks } }) => {
    const change = await networksOf(engine, caller, kid, networks);
    return answerChange(await requestChange(engine, caller, 'change-key', change), 200, () => findKey(engine, kid));
  });

  serve(routes.revokeKey, async ({ caller, params }) => revokeKey(engine, caller, params.kid));
}
