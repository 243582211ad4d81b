import express, { type Express } from 'express';
import { planningLagMs } from '#notify/verbs/plan';
import { createLimiter } from '../../../model/limiter.ts';
import type { ApiParts } from '../parts/api-parts.ts';
import { createAuthenticate, type Gates } from '../authenticate/authenticate.ts';
import { createBackpressure } from '../limits/backpressure.ts';
import { serveAlwaysRoutes } from '#policies/routes/always-routes';
import { serveAuditRoutes } from '#audit/search/routes';
import { serveHistoryRoutes } from '#requests/inbox/routes/inbox/history-routes';
import { serveChatRoutes } from '#notify/chat/routes';
import { secureHeaders, serveConsolePages } from '#requests/pages/routes/connect/console-pages';
import { serveConsoleRoutes } from '#requests/inbox/routes/inbox/console-routes';
import { serveDeliberationRoutes } from '#requests/deliberation/routes';
import { serveDelegationRoutes } from '#people/delegations/routes';
import { serveGrantRoutes } from '#requests/grants/routes';
import { serveCredentialPages } from '#requests/pages/routes/credentials/credential-pages';
import { serveConnectPages } from '#requests/pages/routes/connect/connect-pages';
import { serveHostedPages } from '#requests/pages/routes/pages/hosted-pages';
import { serveLogRoutes } from '#audit/tree/routes';
import { serveOperatorRoutes } from '../../../nodes/routes/operator-routes.ts';
import { serveKeyRoutes } from '#access/keys/routes';
import { serveAccountRoutes } from '#access/sign-in/routes';
import { servePasskeyRoutes } from '#access/passkeys/routes';
import { serveSecondFactorRoutes } from '#access/factors/routes';
import { serveSignInRoutes } from '#access/sign-in/routes';
import { serveScimRoutes } from '#access/scim/routes';
import { serveGroupConfirmationRoutes } from '#people/groups/routes';
import { serveAccountPairRoutes } from '#people/accounts/routes';
import { serveRoleRoutes } from '#people/roles/routes';
import { serveSpaceRoutes } from '#people/spaces/routes';
import { serveUsersRoutes } from '#people/users/routes';
import { serveViewRoutes } from '#requests/inbox/routes/views';
import { servePolicyRoutes } from '#policies/routes/policy-routes';
import { readForwardedFor } from './forwarded-for.ts';
import { nameRequest } from '../route/name-request.ts';
import { notFound, problemHandler } from '../route/problem-handler.ts';
import { noteRefusal } from '../route/note-refusal.ts';
import { refuseForeignHost } from './foreign-host.ts';
import { countAddress } from '../limits/within-limit.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { createConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import { createServe } from '../route/route.ts';
import { refuseMethod } from './refuse-method.ts';
import { serveReportRoute } from './report-route.ts';
import { serveServerRoutes } from '#requests/asking/routes';
import { serveStateRoutes } from '../../../nodes/routes/state-routes.ts';
import { serveKeepingRoutes } from '#keeping/content/routes';
import { serveAdminTokenRoutes } from '#access/tokens/routes';
import { serveWorkloadRoutes } from '#access/workloads/routes';
import { serveApplyRoutes } from '#people/declared/routes';
import { serveWebhookRoutes } from '#notify/webhooks/routes';
import { serveNotificationRoutes } from '#notify/routes';
import { serveStopRoutes } from '#requests/stops/routes';
import { serveStreamRoutes } from '#requests/inbox/routes/inbox/stream-routes';

interface ApiOptions extends Omit<ApiParts, 'app' | 'authenticate' | 'serve'> {
  /** What readers of the metrics must send; null lets no one in. */
  metricsToken: string | null;
  /** Hears of each problem that a caller is answered with. */
  onProblem(code: string): void;
  /** Only these proxies are believed what they say about a caller's address. */
  trustedProxies: readonly string[];
  /** Where the built console lies. */
  consoleDirectory: string;
}

/** Openings and votes at the same time: with more of them, others wait longer and no more are answered in a second. */
const concurrency = 16;
/** Milliseconds for which one waits for its turn. Places bound how many wait. */
const timeoutMs = 2000;

/** Openings wait while notifications are further behind than this: a webhook is to come within two seconds. */
const maxLagMs = 1000;

/** What a call passes before its route works on it. */
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

/** Each group of routes and pages. */
const groups: readonly ((parts: ApiParts) => void)[] = [
  serveReportRoute,
  serveOperatorRoutes,
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
  serveChatRoutes,
];

/** Everything Assentry says over HTTP. */
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
  app.use(refuseMethod, notFound, noteRefusal(parts.engine), problemHandler(options.log, onProblem));
  return app;
}
