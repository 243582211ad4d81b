import { routes } from '#platform/http/contract/openapi/routes';
import { listCredentials, removeCredential } from '#connect/credentials/verbs/manage-credentials';
import { replaceCredential } from '#connect/credentials/verbs/store-credential';
import { guardOwnPassword } from '../../passwords/verbs/guard-sign-in.ts';
import { changePassword } from '../../passwords/verbs/own-password.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '../verbs/sessions/own-sessions.ts';
import { newPasswordHash } from '../../passwords/verbs/password-link.ts';
import type { ApiParts } from '#platform/http/routes/parts/api-parts';
import { ownSecret } from '#platform/http/routes/authenticate/authenticate';

/** What people look after in their own account. Guesses of the current password are slowed down with those of sign-ins. */
export function serveAccountRoutes(parts: ApiParts): void {
  const { engine, serve } = parts;
  serve(routes.listSessions, async ({ caller, request }) => ({
    sessions: await listOwnSessions(engine, caller, ownSecret(request, engine)),
  }));

  serve(routes.endSession, async ({ caller, params }) => endOwnSession(engine, caller, params.id));

  serve(routes.endOtherSessions, async ({ caller, request }) => ({
    count: await endOtherSessions(engine, caller, ownSecret(request, engine)),
  }));

  serve(routes.changePassword, async ({ caller, request, response, body }) => {
    const passwordHash = await newPasswordHash(body.password, caller);
    response.locals['isGuess'] = true;
    const change = { secret: ownSecret(request, engine), current: body.current, passwordHash };
    await guardOwnPassword(engine, { user: caller.id, field: 'current' }, () => changePassword(engine, caller, change));
  });
  serveCredentials(parts);
}

function serveCredentials({ engine, serve }: ApiParts): void {
  serve(routes.listCredentials, async ({ caller }) => ({ credentials: await listCredentials(engine, caller.id) }));

  serve(routes.replaceCredential, async ({ caller, params, body }) =>
    replaceCredential(engine, caller.id, params.id, body.secret),
  );

  serve(routes.removeCredential, async ({ caller, params }) => removeCredential(engine, caller.id, params.id));
}
