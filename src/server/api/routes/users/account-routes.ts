import type { Express } from 'express';
import { routes } from '#protocol/contract/routes';
import { listCredentials, removeCredential } from '../../../engine/credentials/manage-credentials.ts';
import { replaceCredential } from '../../../engine/credentials/store-credential.ts';
import { changePassword } from '../../../engine/users/own-password.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from '../../../engine/users/sign-in/own-sessions.ts';
import { newPasswordHash } from '../../../engine/users/password-link.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { ownSecret } from '../../http/authenticate.ts';
import { serve } from '../../http/route.ts';

/** What people look after in their own account. Guesses of the current password are slowed down with those of sign-ins. */
export function serveAccountRoutes(app: Express, { engine, authenticate }: ApiParts): void {
  serve(app, routes.listSessions, authenticate, async ({ caller, request }) => ({
    status: 200,
    body: { sessions: await listOwnSessions(engine, caller, ownSecret(request, engine)) },
  }));

  serve(app, routes.endSession, authenticate, async ({ caller, params }) => {
    await endOwnSession(engine, caller, params.id);
    return { status: 204 };
  });

  serve(app, routes.endOtherSessions, authenticate, async ({ caller, request }) => ({
    status: 200,
    body: { count: await endOtherSessions(engine, caller, ownSecret(request, engine)) },
  }));

  serve(app, routes.changePassword, authenticate, async ({ caller, request, response, body }) => {
    const passwordHash = await newPasswordHash(body.password, caller);
    response.locals['isGuess'] = true;
    await changePassword(engine, caller, { secret: ownSecret(request, engine), current: body.current, passwordHash });
    return { status: 204 };
  });
  serveCredentials(app, { engine, authenticate });
}

function serveCredentials(app: Express, { engine, authenticate }: Pick<ApiParts, 'engine' | 'authenticate'>): void {
  serve(app, routes.listCredentials, authenticate, async ({ caller }) => ({
    status: 200,
    body: { credentials: await listCredentials(engine, caller.id) },
  }));

  serve(app, routes.replaceCredential, authenticate, async ({ caller, params, body }) => {
    await replaceCredential(engine, caller.id, params.id, body.secret);
    return { status: 204 };
  });

  serve(app, routes.removeCredential, authenticate, async ({ caller, params }) => {
    await removeCredential(engine, caller.id, params.id);
    return { status: 204 };
  });
}
