import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { BulkVoteResult } from '../../../voting/contract/bulk-vote/bulk-vote.ts';
import type { Inbox, SignedIn, UnfinishedSignIn } from '../../contract/inbox/console.ts';
import type { Comparison, SignalList } from '../../contract/inbox/signal.ts';
import { routes } from '#platform/http/contract/openapi';
import { sendTestRequest } from '../../../tests/verbs.ts';
import { knownDevice, rememberAccount } from '#access/sign-in/rules';
import { accountOf, guardOwnPassword, guardSignIn } from '#access/passwords/verbs';
import { setUp } from '#people/users/verbs';
import {
  withdrawElicitation,
  withdrawUnreadable,
} from '../../../deliberation/verbs/deliberate/withdraw-elicitation.ts';
import { voteAndApply } from '#people/changes/verbs/changes';
import { readsOf } from '#audit/reports/verbs/insights';
import { castVotes } from '../../../voting/verbs/cast-votes.ts';
import { extendElicitation } from '../../../deliberation/verbs/deliberate/extend-elicitation.ts';
import { compareApproved } from '../../verbs/request/compare-approved.ts';
import { firstSignals } from '../../verbs/signals/read-signals.ts';
import { listInbox } from '../../verbs/inbox/list-inbox.ts';
import { listPasskeys } from '#access/passkeys/verbs';
import { setPassword } from '#access/passwords/verbs';
import { showElicitation } from '../../verbs/request/show-elicitation.ts';
import { showMachine } from '../../../machine/verbs.ts';
import { signInWithLink } from '#access/sign-in/verbs/sessions';
import { confirmPassword, signInWithPassword } from '#access/passwords/verbs';
import { findSession, signOut, type FoundSession, type SignedInSession } from '#access/sign-in/verbs/sessions';
import { permissionsOf } from '#people/directory/contract/permission';
import { Problem } from '#platform/model/problem';
import { signInSteps } from '#access/factors/contract/factor-rule';
import type { User } from '#people/directory/contract/user';
import type { ApiParts } from '#platform/http/routes/parts';
import { ownSecret } from '#platform/http/routes/authenticate';
import { serveOnElicitation } from '#platform/http/routes/parts';
import { addressOf } from '#platform/http/routes/limits';
import { asSignIn, noteRefused, placeOf } from '#platform/http/routes/route';
import { limitGuesses } from '#platform/http/routes/limits';
import { deviceCookie, keepSession, sessionCookie } from '#platform/http/routes/authenticate';

/** The console's routes: sessions, the inbox, and people's decisions. */
export function serveConsoleRoutes(parts: ApiParts): void {
  const { app } = parts;
  const ofDevice = (request: Request) => deviceOrAddress(parts.engine, request);
  app.post(
    [routes.signIn.path, routes.setUp.path, routes.setPassword.path],
    asSignIn,
    limitGuesses({ keyGenerator: ofDevice }),
  );
  const ofSession = (request: Request) => ownSecret(request, parts.engine);
  for (const { path } of [routes.confirmPassword, routes.changePassword])
    app.post(path, asSignIn, limitGuesses(), limitGuesses({ keyGenerator: ofSession, requestWasSuccessful }));
  serveSession(parts);
  serveInbox(parts);
  serveDecisions(parts);
}

/** In a session only checked passwords count, so that other errors cannot lock it out. */
export const requestWasSuccessful = (_request: Request, { statusCode, locals }: Response): boolean =>
  statusCode < 400 || locals['isGuess'] !== true;

function serveSession({ engine, serve }: ApiParts): void {
  serve(routes.signIn, async ({ body, request, response }) => {
    if ('link' in body) {
      const session = await signInWithLink(engine, body.link, placeOf(request));
      return welcome(request, response, session, engine);
    }
    const { email, password } = body;
    const kept = keptDevice(request, engine.publicUrl());
    const session = await guardSignIn(engine, { email, knownDevice: kept }, () =>
      signInWithPassword(engine, email, password, placeOf(request)),
    );
    return welcome(request, response, session, engine);
  });

  serve(routes.setUp, async ({ body, request, response }) =>
    welcome(request, response, await setUp(engine, body, placeOf(request)), engine),
  );

  serve(routes.setPassword, async ({ body, request, response }) =>
    welcome(request, response, await setPassword(engine, body, placeOf(request)), engine),
  );

  serve(routes.whoAmI, async ({ request }) => signedIn(engine, ownSecret(request, engine)));

  serve(routes.confirmPassword, async ({ caller, request, response, body }) => {
    response.locals['isGuess'] = true;
    const secret = ownSecret(request, engine);
    const session = await guardOwnPassword(engine, { user: caller.id, field: 'password' }, () =>
      confirmPassword(engine, caller, secret, body.password),
    );
    keepSession(response, session, engine.publicUrl());
  });

  serve(routes.signOut, async ({ caller, request, response }) => {
    await signOut(engine, caller, ownSecret(request, engine));
    const { name, options } = sessionCookie(engine.publicUrl());
    response.clearCookie(name, options).set('clear-site-data', '"cache", "storage"');
    const provider = engine.providers.find(({ settings }) => settings.issuer === caller.authentication.provider);
    // One who cannot be reached keeps no one signed in here.
    const location = (await provider?.endSessionUrl(`${engine.publicUrl()}/signin`).catch(() => null)) ?? null;
    return location === null ? { status: 204 } : { status: 200, body: { location } };
  });
}

function serveInbox({ engine, serve }: ApiParts): void {
  serve(routes.listInbox, async ({ caller, query }) => {
    const body: Inbox = await listInbox(engine, caller, query);
    await engine.access.recordAccess({ type: 'access.listed', what: 'requests', by: byOf(caller), about: [] });
    return body;
  });

  serve(routes.showElicitation, async ({ caller, params }) => {
    const answer = await showElicitation(engine, caller, params.id);
    await engine.access.recordAccess({ type: 'access.read', what: 'request', by: byOf(caller), about: [params.id] });
    return answer;
  });

  serve(routes.compareApproved, async ({ caller, params }) => {
    const body: Comparison = await compareApproved(engine, caller, params.id);
    const about = body.approved === null ? [] : [body.approved.id];
    if (about.length > 0)
      await engine.access.recordAccess({ type: 'access.read', what: 'request', by: byOf(caller), about });
    return body;
  });

  serve(routes.listSignals, async ({ caller, query }) => {
    const body: SignalList = { signals: await firstSignals(engine, caller, query.ids) };
    await engine.access.recordAccess({ type: 'access.listed', what: 'requests', by: byOf(caller), about: [] });
    return body;
  });

  serve(routes.sendTestRequest, async ({ caller }) => sendTestRequest(engine, caller));

  serve(routes.showMachine, async () => showMachine());
}

function serveDecisions(parts: ApiParts): void {
  // The verb hides what the voter may not see, so that a vote reads nothing twice.
  parts.serve(routes.castVote, async ({ caller, params, body: vote }) =>
    voteAndApply(parts.engine, caller, params.id, vote),
  );
  // A request that can no longer be read can still be withdrawn.
  serveOnElicitation(parts, routes.withdrawElicitation, withdrawElicitation, 'notice');
  serveOnElicitation(parts, routes.extendElicitation, extendElicitation);

  parts.serve(routes.withdrawUnreadable, async ({ caller, params }) => {
    await withdrawUnreadable(parts.engine, caller, params.id);
  });

  parts.serve(routes.castVotes, async ({ caller, body, request }) => {
    const answer: BulkVoteResult = { results: await castVotes(parts.engine, caller, body) };
    await noteRefused(parts.engine, { by: byOf(caller), address: addressOf(request) }, answer.results);
    return answer;
  });
}

type SigningEngine = Pick<ApiParts['engine'], 'ring' | 'publicUrl'>;

export async function welcome(
  request: Request,
  response: Response,
  session: SignedInSession,
  engine: ApiParts['engine'],
): Promise<SignedIn> {
  const publicUrl = engine.publicUrl();
  keepSession(response, session, publicUrl);
  const { name, options } = deviceCookie(publicUrl);
  const account = accountOf(session.user.email);
  response.cookie(name, rememberAccount(engine.ring, account, keptDevice(request, publicUrl)), options);
  return signedIn(engine, session.secret);
}

const keptDevice = ({ headers }: Request, publicUrl: string): string | undefined =>
  parseCookie(headers.cookie ?? '')[deviceCookie(publicUrl).name];

/** A browser that someone has signed in with is not slowed by what others behind its address do. */
export const deviceOrAddress = ({ ring, publicUrl }: SigningEngine, request: Request): string =>
  knownDevice(ring, keptDevice(request, publicUrl())) ?? addressOf(request);

const byOf = ({ id }: User) => ({ kind: 'user', id }) as const;

async function signedIn(engine: ApiParts['engine'], secret: string): Promise<SignedIn> {
  const session = await findSession(engine, secret, signInSteps);
  if (!session) throw new Problem('unauthenticated');
  const { id, email, name, role, authentication } = session.user;
  const own = engine.providers.find(({ settings }) => settings.issuer === authentication.provider)?.settings;
  return {
    user: {
      id,
      email,
      name,
      role,
      permissions: permissionsOf(session.user),
      reads: await readsOf(engine, session.user),
    },
    expiresAt: session.expiresAt,
    provider: own ? { key: own.key, name: own.name } : null,
    unfinished: await unfinished(engine, session),
  };
}

/** By what the person can go on, in a session whose second factor is missing. */
async function unfinished(engine: ApiParts['engine'], { step, user }: FoundSession): Promise<UnfinishedSignIn | null> {
  if (step === null) return null;
  const { passkeys, origin } = await listPasskeys(engine, user);
  const totp = await engine.secondFactors.totpOf(user.id);
  return { step, hasPasskey: passkeys.length > 0, hasTotp: totp !== null, mayAddPasskey: origin !== null };
}
