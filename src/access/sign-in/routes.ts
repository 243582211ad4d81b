import { parseCookie } from 'cookie';
import express from 'express';
import type { Request } from 'express';
import { routes } from '#platform/http/contract/openapi';
import { beginAttempt, type AttemptRequest } from '../oidc/verbs/sign-in.ts';
import { completeAttempt, type CompletedAttempt } from '../oidc/verbs/complete-attempt.ts';
import { listOwnProviders, removeProvider, takeFrontLogout, takeLogoutToken } from '../oidc/verbs/identities.ts';
import type { ApiParts } from '#platform/http/routes/parts';
import { addressOf, readWithinLimit } from '#platform/http/routes/limits';
import { placeOf, expressPath, type RouteRequest } from '#platform/http/routes/route';
import { attemptCookie, keepSession, ownSecret } from '#platform/http/routes/authenticate';
import { listCredentials, removeCredential, replaceCredential } from '#connect/credentials/verbs';
import { guardOwnPassword, changePassword, newPasswordHash } from '../passwords/verbs.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './verbs/sessions.ts';

/** Signing in at identity providers. */
export function serveSignInRoutes(parts: ApiParts): void {
  const { engine, log, serve } = parts;
  serve(routes.listSignInWays, async () => {
    const providers = engine.providers.map(({ settings: { key, name } }) => ({ key, name }));
    return { providers, passwords: engine.passwords };
  });

  // A request that waits for a provider holds no place: one that does not answer would stop the node for everyone.
  const begin = async ({ response, rest }: Waiting, provider: string, request: AttemptRequest) => {
    rest();
    const { secret, location } = await beginAttempt(engine, provider, request);
    const { name, options } = attemptCookie(engine.publicUrl());
    response.cookie(name, secret, options);
    return { location };
  };
  serve(routes.beginSignIn, async ({ params, body, ...waiting }) =>
    begin(waiting, params.provider, { purpose: 'sign-in', ...body, user: null }),
  );
  serve(routes.beginConfirmation, async ({ params, body, caller, ...waiting }) =>
    begin(waiting, params.provider, { purpose: 'confirm', ...body, user: caller }),
  );
  serve(routes.connectProvider, async ({ params, body, caller, ...waiting }) =>
    begin(waiting, params.provider, { purpose: 'connect', ...body, user: caller }),
  );

  serve(routes.listOwnProviders, async ({ caller }) => ({ providers: await listOwnProviders(engine, caller) }));
  serve(routes.removeProvider, async ({ params, caller }) => removeProvider(engine, params.provider, caller));

  serve(routes.completeSignIn, async ({ params: { provider }, request, response, rest }) => {
    rest();
    const publicUrl = engine.publicUrl();
    const { name, options } = attemptCookie(publicUrl);
    const secret = parseCookie(request.headers.cookie ?? '')[name];
    const { searchParams: search } = new URL(request.originalUrl, publicUrl);
    const { session, returnTo, refused } = await completeAttempt(engine, provider, {
      secret,
      search,
      place: placeOf(request),
    });
    if (refused) await noteRefused(engine, request, refused);
    if (refused?.problem) {
      const { problem } = refused;
      log.warn({ provider, said: problem.said, err: problem }, 'sign-in failed at the provider');
    }
    if (session) keepSession(response, session, publicUrl);
    // A made-up answer from another page ends no sign-in that is under way in this browser.
    if (refused?.reason !== 'sign-in-outdated') response.clearCookie(name, { ...options, maxAge: 0 });
    const next = refused ? refusedPage(provider, refused, returnTo) : returnTo;
    response.set('cache-control', 'no-store').redirect(303, `${publicUrl}${next}`);
  });
  serveLogouts(parts);
}

type Waiting = Pick<RouteRequest<typeof routes.beginSignIn>, 'response' | 'rest'>;

/** Logouts sent by providers. */
function serveLogouts({ app, engine, authenticate, serve }: ApiParts): void {
  const { bodies, countCall } = authenticate;
  app.post(expressPath(routes.takeLogoutToken), readWithinLimit(readForm, bodies), async (request, response) => {
    await countCall(addressOf(request));
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
    const provider = String(request.params['provider']);
    await takeLogoutToken(engine, provider, form.get('logout_token') ?? '');
    response.set('cache-control', 'no-store').status(200).end();
  });
  serve(routes.takeFrontLogout, async ({ params, query }) => takeFrontLogout(engine, params.provider, query));
}

const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: 16 * 1024, defaultCharset: 'utf-8' });

const noteRefused = ({ access }: ApiParts['engine'], request: Request, { reason, about }: Refused) =>
  access.recordRefusal({
    type: 'access.sign-in-failed',
    what: reason,
    by: { kind: 'stranger' },
    about,
    address: addressOf(request),
  });

/** The page for signing in says why, by the code: no text comes from the address. */
const refusedPage = (provider: string, { reason }: Refused, next: string): string =>
  `/signin?${new URLSearchParams({ refused: reason, provider, next })}`;

type Refused = NonNullable<CompletedAttempt['refused']>;

/** Routes of a person's own account. Guesses of the current password are slowed down with those of sign-ins. */
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
