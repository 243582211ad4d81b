import express from 'express';
import type { Express, RequestHandler } from 'express';
import { z } from 'zod';
import { routes, type RouteAuth, type RouteContract } from '../contract/openapi.ts';
import type { ApiParts } from './parts.ts';
import {
  countAddress,
  readWithinLimit,
  limitGuesses,
  createBackpressure,
  createRateLimiter,
  createConcurrencyLimiter,
} from './limits.ts';
import { planningLagMs } from '#notify/verbs/plan';
import { createLimiter } from '../../model/limiter.ts';
import { createAuthenticate, type Gates } from './authenticate.ts';
import { serveAlwaysRoutes } from '#policies/routes/always-routes';
import { serveAuditRoutes } from '#audit/search/routes';
import { serveHistoryRoutes, serveConsoleRoutes, serveStreamRoutes } from '#requests/inbox/routes/inbox';
import { serveChatRoutes } from '#notify/chat/routes';
import { secureHeaders, serveConsolePages, serveConnectPages } from '#requests/pages/routes/connect';
import { serveDeliberationRoutes } from '#requests/deliberation/routes';
import { serveDelegationRoutes } from '#people/delegations/routes';
import { serveGrantRoutes } from '#requests/grants/routes';
import { serveProviders } from '#connect/checks/routes';
import { serveOutcomes } from '#connect/outcomes/routes';
import { serveAuto } from '#connect/auto/routes';
import { serveConnections } from '#connect/connections/routes';
import { serveSecrets } from '#connect/secrets/routes';
import { serveCredentialPages } from '#requests/pages/routes/credentials';
import { serveHostedPages } from '#requests/pages/routes/pages';
import { serveLogRoutes } from '#audit/tree/routes';
import { serveErrorPages } from './errors.ts';
import { serveOperatorRoutes } from '../../nodes/routes/operator-routes.ts';
import { serveKeyRoutes } from '#access/keys/routes';
import { serveAccountRoutes, serveSignInRoutes } from '#access/sign-in/routes';
import { servePasskeyRoutes } from '#access/passkeys/routes';
import { serveSecondFactorRoutes } from '#access/factors/routes';
import { serveScimRoutes } from '#access/scim/routes';
import { serveGroupConfirmationRoutes } from '#people/groups/routes';
import { serveAccountPairRoutes } from '#people/accounts/routes';
import { serveRoleRoutes } from '#people/roles/routes';
import { serveSpaceRoutes } from '#people/spaces/routes';
import { serveUsersRoutes } from '#people/users/routes';
import { serveViewRoutes } from '#requests/inbox/routes/views';
import { servePolicyRoutes } from '#policies/routes/policy-routes';
import { nameRequest, notFound, problemHandler, noteRefusal, createServe } from './route.ts';
import { serveServerRoutes } from '#requests/asking/routes';
import { serveStateRoutes } from '../../nodes/routes/state-routes.ts';
import { serveKeepingRoutes } from '#keeping/content/routes';
import { serveAdminTokenRoutes } from '#access/tokens/routes';
import { serveWorkloadRoutes } from '#access/workloads/routes';
import { serveApplyRoutes } from '#people/declared/routes';
import { serveWebhookRoutes } from '#notify/webhooks/routes';
import { serveNotificationRoutes } from '#notify/routes';
import { serveStopRoutes } from '#requests/stops/routes';
import { isIP } from 'node:net';
import { Problem } from '../../model/problem.ts';

/** Logs the parts of our pages that a browser's content security policy has blocked. */
function serveReportRoute({ app, authenticate, log }: ApiParts): void {
  const { path } = routes.reportViolation;
  app.post(
    path,
    countAddress(authenticate),
    limitGuesses({ skipSuccessfulRequests: false }),
    readWithinLimit(readBytes, authenticate.bodies),
    async (request, response) => {
      await authenticate.none(request);
      const report = Violation.safeParse(parseJson(request.body)).data?.['csp-report'];
      if (report) log.warn({ directive: report['effective-directive'], blocked: report['blocked-uri'] }, stopped);
      response.set('cache-control', 'no-store').status(204).end();
    },
  );
}

const stopped = 'a browser stopped something on a page of the console: look for what puts it there';

const readBytes = express.raw({ type: 'application/csp-report', limit: 16 * 1024 });

/** Members that cannot hold a token: the rule, and the kind or the site of the blocked part. */
const Violation = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().regex(/^[a-z-]{1,40}$/),
    'blocked-uri': z.string().transform((text) => (URL.canParse(text) ? new URL(text).origin : text.slice(0, 40))),
  }),
});

function parseJson(body: unknown): unknown {
  try {
    return Buffer.isBuffer(body) ? JSON.parse(body.toString('utf8')) : null;
  } catch {
    return null;
  }
}

interface ApiOptions extends Omit<ApiParts, 'app' | 'authenticate' | 'serve'> {
  /** Token that readers of the metrics must send; null admits none of them. */
  metricsToken: string | null;
  /** Called for each problem that a caller gets. */
  onProblem(code: string): void;
  /** Proxies that are trusted to name a caller's address. */
  trustedProxies: readonly string[];
  /** Folder of the built console. */
  consoleDirectory: string;
}

/** Limit of openings and votes at the same time: more would wait longer without more answers in a second. */
const concurrency = 16;
/** Milliseconds for which one waits for its turn. Places bound the number of waiters. */
const timeoutMs = 2000;

/** Lag of notifications above which openings wait: a webhook is to come within two seconds. */
const maxLagMs = 1000;

/** Gates that a call passes before its route works on it. */
function createGates({ rates, engine }: Pick<ApiOptions, 'rates' | 'engine'>, metricsToken: string | null): Gates {
  const perNode = { inAll: rates.inProgress, perCaller: rates.inProgressPerCaller };
  return {
    countCall: createRateLimiter(rates.calls),
    work: createConcurrencyLimiter(perNode),
    bodies: createConcurrencyLimiter(perNode),
    limiter: createLimiter({ concurrency, maxQueue: Number.POSITIVE_INFINITY, timeoutMs }),
    backpressure: createBackpressure({ readLagMs: () => planningLagMs(engine), maxLagMs, intervalMs: 100, timeoutMs }),
    metricsToken,
  };
}

/** Groups of routes and pages. */
const groups: readonly ((parts: ApiParts) => void)[] = [
  serveReportRoute,
  serveOperatorRoutes,
  serveErrorPages,
  serveServerRoutes,
  serveStateRoutes,
  serveStreamRoutes,
  serveConsoleRoutes,
  serveDeliberationRoutes,
  serveAlwaysRoutes,
  serveUsersRoutes,
  serveSpaceRoutes,
  serveAccountPairRoutes,
  serveRoleRoutes,
  serveGroupConfirmationRoutes,
  serveAccountRoutes,
  servePasskeyRoutes,
  serveSecondFactorRoutes,
  serveSignInRoutes,
  serveScimRoutes,
  serveKeyRoutes,
  serveWorkloadRoutes,
  serveAdminTokenRoutes,
  serveApplyRoutes,
  serveViewRoutes,
  serveDelegationRoutes,
  serveGrantRoutes,
  serveStopRoutes,
  serveKeepingRoutes,
  serveNotificationRoutes,
  serveWebhookRoutes,
  servePolicyRoutes,
  serveLogRoutes,
  serveAuditRoutes,
  serveHistoryRoutes,
  serveHostedPages,
  serveConnectPages,
  serveCredentialPages,
  serveConnections,
  serveSecrets,
  serveAuto,
  serveOutcomes,
  serveProviders,
  serveChatRoutes,
];

/** The app with everything that Assentry serves over HTTP. */
export function createApp({
  consoleDirectory,
  trustedProxies,
  metricsToken,
  onProblem,
  ...options
}: ApiOptions): Express {
  const gates = createGates(options, metricsToken);
  const authenticate = createAuthenticate(options.engine, gates);
  const app = express();
  const parts = { ...options, app, authenticate, serve: createServe(app, authenticate) };
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('trust proxy', [...trustedProxies]);
  app.use(
    readForwardedFor,
    nameRequest(options.log),
    secureHeaders(() => parts.engine.publicUrl()),
    refuseForeignHost(() => parts.engine.publicUrl()),
  );
  for (const serveGroup of groups) serveGroup(parts);
  serveConsolePages(app, consoleDirectory, countAddress(authenticate));
  app.use(
    refuseMethod,
    notFound,
    noteRefusal(parts.engine),
    problemHandler({ log: options.log, onProblem, publicUrl: () => parts.engine.publicUrl() }),
  );
  return app;
}

/** Paths that supervisors call under any name of the node. */
const forEveryName = new Set(['/healthz', '/readyz']);

/**
 * Refuses a browser that reached us under a foreign name, which another site may have pointed here. Programs with a credential
 * use any name, where only that credential is read: no browser sends it for them, and no cookie counts.
 */
const refuseForeignHost =
  (publicUrl: () => string): RequestHandler =>
  ({ headers, method, path }, _response, next) => {
    const isOfProgram = headers.authorization !== undefined && isForPrograms(method, path);
    if (!isOfProgram && !forEveryName.has(path) && !isOwn(headers.host, publicUrl()))
      throw new Problem('cross-site', { detail });
    next();
  };

const programAuth: readonly RouteAuth[] = ['key', 'scim', 'operator', 'session-or-token', 'connector'];

const forPrograms = Object.values<RouteContract>(routes).filter(({ auth }) => programAuth.includes(auth));
const doors = forPrograms.map(({ method, path, isDeep }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, isDeep ? '.+' : '[^/]+')}/?$`),
}));

const isForPrograms = (method: string, path: string): boolean =>
  doors.some((door) => door.method === method && door.pattern.test(path));

const detail = 'Open Assentry at its own address; an operator can change that in ASSENTRY_PUBLIC_URL.';

/** Is it our own host? An address is no name that could be pointed elsewhere. */
function isOwn(host: string | undefined, publicUrl: string): boolean {
  const url = `http://${host ?? ''}`;
  if (host === undefined || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || hostname === 'localhost' || hostname === new URL(publicUrl).hostname;
}

/**
 * Reads `X-Forwarded-For` in the dialects of proxies: some write the port of each connection, which would make every connection
 * a separate address for limits and networks. An invalid entry counts as one address that is in no network.
 */
const readForwardedFor: RequestHandler = ({ headers }, _response, next) => {
  const header = headers['x-forwarded-for'];
  if (header !== undefined) headers['x-forwarded-for'] = [header].flat().join(',').split(',').map(addressIn).join(', ');
  next();
};

/** The address of an entry such as `1.2.3.4:5678`, `[::1]:80` or `"[::1]"`. */
export function addressIn(entry: string): string {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, before] = /^\[([^\]]*)\](?::\d{1,5})?$|^([^:]*):\d{1,5}$/.exec(text) ?? [];
  const address = inBrackets ?? before ?? text;
  return isIP(address) === 0 ? 'unknown' : address;
}

/** Distinguishes an address that accepts other methods from an unknown one (RFC 9110, section 15.5.6). */
const refuseMethod: RequestHandler = (request, response, next) => {
  const methods = methodsAt(request.path);
  if (methods.length === 0) return next();
  response.set('allow', methods.join(', '));
  throw new Problem('method-not-allowed');
};

const served = Object.values<RouteContract>(routes).map(({ method, path, isDeep }) => ({
  methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  // Like Express: in upper or lower case, with or without a slash at the end.
  address: new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/\{\w+\}$/, isDeep ? '.+' : '$&')
      .replaceAll(/\{\w+\}/g, '[^/]+')}/?$`,
    'i',
  ),
}));

const methodsAt = (path: string): string[] =>
  served.filter(({ address }) => address.test(path)).flatMap(({ methods }) => methods);
