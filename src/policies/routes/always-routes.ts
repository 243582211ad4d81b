import { routes } from '#platform/http/contract/openapi';
import { allowAlways, alwaysChoices } from '../verbs/apply.ts';
import { showPolicyVersion } from '../verbs/show.ts';
import { assertVisible } from '#requests/inbox/verbs/visibility';
import { type ApiParts, madeAlone } from '#platform/http/routes/parts';

/** Rules for calls like one that people were asked about: for everyone who may read it to see, for administrators to make. */
export function serveAlwaysRoutes({ engine, serve }: ApiParts): void {
  serve(routes.showAlways, async ({ caller, params: { id }, query: { days } }) => {
    await assertVisible(engine, caller, await engine.reader.elicitation(id));
    const by = { kind: 'user', id: caller.id } as const;
    await engine.access.recordAccess({ type: 'access.read', what: 'request', by, about: [id] });
    return { choices: await alwaysChoices(engine, id, days) };
  });

  serve(routes.allowAlways, async ({ caller, params: { id }, body }) => {
    await assertVisible(engine, caller, await engine.reader.elicitation(id));
    const { place, alone } = await allowAlways(engine, caller, id, body);
    return { ...(await showPolicyVersion(engine, caller, place)), alone: madeAlone(alone) };
  });
}
