import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { BulkVoteResult } from '../../voting/contract/votes.ts';
import type { Inbox, SignedIn, UnfinishedSignIn, InboxEvent } from '../contract/inbox.ts';
import type { Comparison, SignalList } from '../contract/signal.ts';
import { routes } from '#platform/http/contract/openapi';
import { sendTestRequest } from '../../tests/verbs.ts';
import { knownDevice, rememberAccount } from '#access/sign-in/rules';
import {
  accountOf,
  guardOwnPassword,
  guardSignIn,
  setPassword,
  confirmPassword,
  signInWithPassword,
} from '#access/passwords/verbs';
import { setUp } from '#people/users/verbs';
import { withdrawElicitation, withdrawUnreadable, extendElicitation } from '../../deliberation/verbs/deliberate.ts';
import { voteAndApply } from '#people/changes/verbs/changes';
import { readsOf } from '#audit/reports/verbs/insights';
import { castVotes } from '../../voting/verbs.ts';
import { compareApproved, showElicitation } from '../verbs/request.ts';
import { firstSignals } from '../verbs/signals.ts';
import { listInbox } from '../verbs/inbox.ts';
import { listPasskeys } from '#access/passkeys/verbs';
import { showMachine } from '../../machine/verbs.ts';
import {
  signInWithLink,
  findSession,
  signOut,
  type FoundSession,
  type SignedInSession,
  createListener,
  signedInUser,
} from '#access/sign-in/verbs/sessions';
import { permissionsOf } from '#people/directory/contract/permission';
import { Problem } from '#platform/model/problem';
import { signInSteps } from '#access/factors/contract/factor-rule';
import type { User, ServerCaller } from '#people/directory/contract/user';
import { type ApiParts, serveOnElicitation } from '#platform/http/routes/parts';
import { ownSecret, deviceCookie, keepSession, sessionCookie, findCaller } from '#platform/http/routes/authenticate';
import { addressOf, limitGuesses, createOpenLimiter } from '#platform/http/routes/limits';
import { asSignIn, noteRefused, placeOf } from '#platform/http/routes/route';
import type { ElicitationState } from '../../asking/contract/open.ts';
import { viewWithInquiry } from '../../asking/verbs/view.ts';
import { followChanges } from '#platform/nodes/verbs/engine';
import { isForeign } from '#people/directory/verbs/scope';
import { isUnreadable } from '../../state/verbs/change.ts';
import { visibleOf } from '../verbs/visibility.ts';
import { isStillGood } from '#access/keys/verbs/keys';
import { openEventStream, type EventStream } from '#platform/http/routes/streams';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportHistory, type ExportedRequest, historyHead, historyLine } from '../verbs/history.ts';

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

/** Ways in which the person can complete a session whose second factor is missing. */
async function unfinished(engine: ApiParts['engine'], { step, user }: FoundSession): Promise<UnfinishedSignIn | null> {
  if (step === null) return null;
  const { passkeys, origin } = await listPasskeys(engine, user);
  const totp = await engine.secondFactors.totpOf(user.id);
  return { step, hasPasskey: passkeys.length > 0, hasTotp: totp !== null, mayAddPasskey: origin !== null };
}

function nullIfUnreadable(error: unknown): null {
  if (isUnreadable(error)) return null;
  throw error;
}

/** Tells from where nothing is missed. If there is a gap, the reader reads again what it follows. */
const greet =
  (stream: EventStream, more: { every?: number } = {}) =>
  (place: number, hasGap: boolean): void =>
    stream.send('ready', { ...more, ...(hasGap && { hasGap }) }, place);

function endAfter(stream: EventStream, ms: number): void {
  const timer = setTimeout(() => stream.end(), ms);
  stream.signal.addEventListener('abort', () => clearTimeout(timer));
}

/** Long-lived answers. Each event carries the place from which the reader resumes without a gap. */
export function serveStreamRoutes({ engine, heartbeat, shutdown, rates, serve }: ApiParts): void {
  const acquire = createOpenLimiter(rates.streams);
  serve(routes.streamOutcomes, async ({ caller, query: { wait }, request, response, rest }) => {
    const mayListen = async (): Promise<boolean> => (await findCaller(engine, request)) !== null;
    const stream = openEventStream(response, { shutdown, heartbeat, mayListen, onEnd: acquire(caller.id) });
    rest();
    const from = request.get('last-event-id');
    const isBrief = wait !== undefined;
    if (isBrief) endAfter(stream, wait * 1000);
    const follow = {
      from,
      signal: stream.signal,
      topics: ['closed', 'inquired'] as const,
    };
    let listener: ServerCaller | null = caller;
    const mayHear = async (latest: { keys?: bigint; users?: bigint } | undefined): Promise<boolean> => {
      if (!listener || !isStillGood(engine, listener, latest ?? {})) listener = await findCaller(engine, request);
      return listener !== null;
    };
    const onReady = (place: number, hasGap: boolean): void => {
      greet(stream)(place, hasGap);
      if (isBrief && (from === undefined || hasGap)) stream.end();
    };
    await followChanges(engine, { ...follow, server: caller.id, onReady }, async (changes) => {
      if (!(await mayHear(changes.at(-1)?.event))) return stream.end();
      for (const { row, event } of changes.filter((change) => !isForeign(change.row, caller))) {
        // An unreadable row must not end the stream of all others: its reader asks for it and gets the reason.
        const state: ElicitationState | null = await viewWithInquiry(engine, row).catch(nullIfUnreadable);
        if (state) stream.send('elicitation', state, event.place);
      }
      if (isBrief) stream.end();
    });
  });

  serve(routes.streamInbox, async ({ caller, request, response, rest }) => {
    const secret = ownSecret(request, engine);
    const mayListen = async (): Promise<boolean> => (await signedInUser(engine, secret)) !== null;
    const life = { shutdown, heartbeat, isHeartbeatSeen: true, mayListen, onEnd: acquire(caller.id) };
    const stream = openEventStream(response, life);
    rest();
    const follow = { from: request.get('last-event-id'), signal: stream.signal };
    const findListener = createListener(engine, secret);
    await followChanges(engine, { ...follow, onReady: greet(stream, { every: heartbeat }) }, async (changes) => {
      const user = await findListener();
      if (!user) return stream.end();
      const rows = changes.map(({ row }) => row);
      const visible = await visibleOf(engine, user, rows, 'notice');
      for (const { row, event } of changes.filter((change) => visible.has(change.row.id))) {
        const inboxEvent: InboxEvent = { id: row.id, topic: event.topic, status: row.status };
        stream.send('inbox', inboxEvent, event.place);
      }
    });
  });
}

/** The history as files, written as it is read. */
export function serveHistoryRoutes({ engine, serve }: ApiParts): void {
  serve(routes.exportHistory, async ({ caller, query, response }) =>
    send(response, 'history.json', jsonOf(exportHistory(engine, caller, query))),
  );

  serve(routes.exportHistoryTable, async ({ caller, query, response }) =>
    send(response, 'history.csv', csvOf(exportHistory(engine, caller, query))),
  );
}

type Pages = AsyncGenerator<ExportedRequest[], void, undefined>;

/** Faults before the first piece are answered as a problem; after it, the connection is cut. */
async function send(response: Response, name: string, pieces: AsyncGenerator<string>): Promise<never> {
  const first = await pieces.next();
  response.set('cache-control', 'no-store').attachment(name);
  response.write(first.value);
  await pipeline(Readable.from(pieces), response);
  return undefined as never; // the answer is written
}

async function* csvOf(pages: Pages): AsyncGenerator<string> {
  let head = historyHead;
  for await (const page of pages) {
    yield head + page.map(historyLine).join('');
    head = '';
  }
}

async function* jsonOf(pages: Pages): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages)
    for (const request of page) {
      yield `${before}${JSON.stringify(request)}`;
      before = ',\n';
    }
  yield before === '[' ? '[]' : ']';
}
