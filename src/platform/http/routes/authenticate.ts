import type { Request, CookieOptions, Response } from 'express';
import { Problem } from '../../model/problem.ts';
import { attemptLifeMs } from '#access/oidc/verbs/sign-in';
import { type SignedInSession, assertProof, findSession, keptSession } from '#access/sign-in/verbs/sessions';
import { challengeLife } from '#access/passkeys/contract/types';
import { parseCookie } from 'cookie';
import { equalBytes } from '../../crypto/random.ts';
import { sha256 } from '../../crypto/digest.ts';
import { assertMay, spacesOf, withoutPermission } from '#people/directory/verbs/may';
import type { Engine } from '../../nodes/verbs/engine.ts';
import { findTokenCaller, nameRefusedAdminToken } from '#access/tokens/verbs/admin-tokens';
import type { TokenCaller } from '#people/directory/verbs/directory';
import { findProvisioner, nameRefusedToken, type Provisioner } from '#access/scim/verbs/tokens';
import { findWorkload } from '#access/workloads/verbs';
import { describeRefusedKey, findServer, keptServer } from '#access/keys/verbs/keys';
import type { RouteContract } from '../contract/openapi.ts';
import type { Limiter } from '../../model/limiter.ts';
import type { ServerCaller, SignedInUser } from '#people/directory/contract/user';
import type { UserId } from '../../model/id.ts';
import { may, type Permission } from '#people/directory/contract/permission';
import type { Backpressure, RateLimiter, Acquire } from './limits.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that a foreign page sends. Browsers say where a request comes from; otherwise the request must name
 * our own origin.
 */
export function assertSameSite({ method, headers }: Request, publicUrl: string): void {
  if (safeMethods.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site !== undefined && site !== 'none') throw new Problem('cross-site');
  if (!isOurs(headers.origin, headers.host, publicUrl)) throw new Problem('cross-site');
}

function isOurs(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const [page, own] = [new URL(origin), new URL(publicUrl)];
  if (page.origin === own.origin) return true;
  // Assentry may have another name, but never accepts a page that was sent without TLS.
  const isWeaker = own.protocol === 'https:' && page.protocol !== 'https:';
  return page.host === host && !isWeaker;
}

/** The cookie in which a browser keeps that people have signed in with it. It opens nothing. */
export function deviceCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-device`, options: { ...options, maxAge: deviceLifeMs } };
}

/** The cookie that binds a challenge to the browser in which a sign-in begins. */
export function challengeCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-passkey`, options: { ...options, maxAge: challengeLife } };
}

/** The cookie of a browser that was sent to an identity provider. It is `lax`, because the way back comes from there. */
export function attemptCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-sign-in`, options: { ...options, sameSite: 'lax', maxAge: attemptLifeMs } };
}

export function keepSession(
  response: Response,
  { secret, expiresAt }: Pick<SignedInSession, 'secret' | 'expiresAt'>,
  publicUrl: string,
): void {
  const { name, options } = sessionCookie(publicUrl);
  response.cookie(name, secret, { ...options, expires: new Date(expiresAt) });
}

const deviceLifeMs = 365 * 86_400_000;

/** The cookie of a signed-in browser. Plain http is for loopback only, where `__Host-` cannot be set. */
export function sessionCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const secure = publicUrl.startsWith('https:');
  return {
    name: secure ? '__Host-assentry' : 'assentry',
    options: { httpOnly: true, secure, sameSite: 'strict', path: '/' },
  };
}

/** Ways to identify the caller, by kind of route. Identity never comes from a body. */
export interface Authenticate {
  key(request: Request): Promise<ServerCaller>;
  /**
   * Signed-in person. Problem `second-factor-needed` if that is missing, unless the route is open at this step of the sign-in;
   * `forbidden` if the person's role lacks the route's permission; or a problem of the missing proof.
   */
  session(request: Request, route?: SessionTerms): Promise<SignedInUser>;
  /** A person by their session or, if it shows a token, a program by that. */
  'session-or-token'(request: Request, route: SessionTerms): Promise<SignedInUser | TokenCaller>;
  /** An identity provider that provisions people, by its token. */
  scim(request: Request): Promise<Provisioner>;
  /** No caller yet: the verb reads the token, and services report from any address. */
  token(request: Request): Promise<undefined>;
  /** Anyone who holds the operator's token. */
  operator(request: Request): Promise<undefined>;
  none(request: Request): Promise<undefined>;
  /** Callers as last read, without a statement; null if they have to be read. */
  kept: {
    key(request: Request): ServerCaller | null;
    session(request: Request, route: SessionTerms): SignedInUser | null;
  };
  /** Refuses a caller, or an address without one, after too many calls. */
  countCall: RateLimiter;
  /** Bounds the node's work in progress. */
  work: Acquire;
  /** Bounds the most frequent and costly work, so that turns of the event loop stay short for all others. */
  limiter: Limiter;
  /** Slows down openings while deciders are not notified yet. */
  backpressure: Backpressure;
  /** Bounds the bodies that arrive at the same time: a slowly arriving body is no work. */
  bodies: Acquire;
}

/** Demands of a route on a person. */
type SessionTerms = Partial<Pick<RouteContract, 'isOpenAt' | 'permission' | 'scope' | 'proof'>>;

/** Limits that calls pass before a route works on them. */
export interface Gates extends Pick<Authenticate, 'countCall' | 'work' | 'limiter' | 'backpressure' | 'bodies'> {
  /** Null admits none of them. */
  metricsToken: string | null;
}

export const createAuthenticate = (engine: Engine, { metricsToken, ...gates }: Gates): Authenticate => ({
  ...gates,
  kept: {
    key: (request) => keptServer(engine, shownKey(request), request.ip),
    session(request, { permission, proof }) {
      assertSameSite(request, engine.publicUrl());
      const secret = sessionSecret(request, engine.publicUrl());
      const user = secret ? keptSession(engine, secret) : null;
      // A person who lacks it may have it by now: then the session is read.
      if (!user || (permission && !may(user, permission))) return null;
      assertProof(engine, user, proof);
      return user;
    },
  },
  async key(request) {
    const token = shownWorkload(request);
    if (token === null) {
      const server = await findCaller(engine, request);
      if (server) return server;
      throw new Problem('unauthenticated', await describeRefusedKey(engine, shownKey(request), request.ip));
    }
    const workload = await findWorkload(engine, token, request.ip);
    if ('server' in workload) return workload.server;
    throw new Problem('unauthenticated', { about: [], what: workload.why });
  },
  session: (request, route) => authenticateSession(engine, request, route),
  async 'session-or-token'(request, route) {
    const { permission } = route;
    if (request.headers.authorization === undefined) return authenticateSession(engine, request, route);
    const program = await findTokenCaller(engine, shownKey(request), request.ip);
    if (!program)
      throw new Problem('unauthenticated', { about: await nameRefusedAdminToken(engine, shownKey(request)) });
    if (permission) assertMay(program, permission);
    return program;
  },
  async scim(request) {
    const provisioner = await findProvisioner(engine, shownKey(request));
    if (provisioner) return provisioner;
    throw new Problem('unauthenticated', { about: await nameRefusedToken(engine, shownKey(request)) });
  },
  async token() {
    return undefined;
  },
  async operator(request) {
    const isTheirs = metricsToken !== null && equalBytes(sha256(shownKey(request)), sha256(metricsToken));
    if (!isTheirs) throw new Problem('unauthenticated');
    return undefined;
  },
  async none(request) {
    assertSameSite(request, engine.publicUrl());
    return undefined;
  },
});

async function authenticateSession(
  engine: Engine,
  request: Request,
  { isOpenAt, permission, scope, proof }: SessionTerms = {},
): Promise<SignedInUser> {
  assertSameSite(request, engine.publicUrl());
  const secret = sessionSecret(request, engine.publicUrl());
  const session = secret ? await findSession(engine, secret, isOpenAt) : null;
  if (!session) throw new Problem('unauthenticated');
  const { user } = session;
  const isEnough = !permission || may(user, permission) || (scope && (await hasInSpace(engine, user.id, permission)));
  if (!isEnough) throw withoutPermission(permission);
  assertProof(engine, user, proof);
  return user;
}

const hasInSpace = async ({ rules }: Engine, user: UserId, permission: Permission): Promise<boolean> =>
  spacesOf(await rules.users(), user, permission).size > 0;

/**
 * The server of the request's key or of its workload's token; null if there is none, or it is invalid, also from this address.
 */
export async function findCaller(engine: Engine, request: Request): Promise<ServerCaller | null> {
  const token = shownWorkload(request);
  if (token !== null) {
    const workload = await findWorkload(engine, token, request.ip);
    return 'server' in workload ? workload.server : null;
  }
  const key = shownKey(request);
  return key ? findServer(engine, key, request.ip) : null;
}

/** A signed token where a key may stand; null if it is none. */
const shownWorkload = ({ headers }: Request): string | null =>
  /^Bearer ((?=.{1,8192}$)[\w-]+\.[\w-]+\.[\w-]*)$/.exec(headers.authorization ?? '')?.[1] ?? null;

const shownKey = ({ headers }: Request): string => /^Bearer (\S{1,256})$/.exec(headers.authorization ?? '')?.[1] ?? '';

/** Name of the caller's program, as far as it is kept. */
export const agentOf = (request: Request): string => (request.headers['user-agent'] ?? '').slice(0, 300);

/** The secret of the session in which a route for signed-in people is called. */
export const ownSecret = (request: Request, { publicUrl }: Pick<Engine, 'publicUrl'>): string =>
  sessionSecret(request, publicUrl()) ?? '';

export const sessionSecret = (request: Request, publicUrl: string): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[sessionCookie(publicUrl).name];
