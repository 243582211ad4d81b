import express, { type Express } from 'express';
import { planningLagMs } from '../engine/notifications/planning-lag.ts';
import { createLimiter } from '#protocol/model/limiter';
import type { ApiParts } from './http/api-parts.ts';
import { createAuthenticate, type Gates } from './http/authenticate.ts';
import { createBackpressure } from './http/backpressure.ts';
import { serveAlwaysRoutes } from './routes/always-routes.ts';
import { serveAuditRoutes } from './routes/audit-routes.ts';
import { serveHistoryRoutes } from './routes/history-routes.ts';
import { serveChatRoutes } from './routes/chat-routes.ts';
import { secureHeaders, serveConsolePages } from './pages/console-pages.ts';
import { serveConsoleRoutes } from './routes/console-routes.ts';
import { serveDeliberationRoutes } from './routes/deliberation-routes.ts';
import { serveDelegationRoutes } from './routes/users/delegation-routes.ts';
import { serveGrantRoutes } from './routes/grant-routes.ts';
import { serveCredentialPages } from './pages/credential-pages.ts';
import { serveConnectPages } from './pages/connect-pages.ts';
import { serveHostedPages } from './pages/hosted-pages.ts';
import { serveLogRoutes } from './routes/log-routes.ts';
import { serveOperatorRoutes } from './routes/operator-routes.ts';
import { serveKeyRoutes } from './routes/key-routes.ts';
import { serveAccountRoutes } from './routes/users/account-routes.ts';
import { servePasskeyRoutes } from './routes/users/passkey-routes.ts';
import { serveSecondFactorRoutes } from './routes/users/second-factor-routes.ts';
import { serveSignInRoutes } from './routes/users/sign-in-routes.ts';
import { serveScimRoutes } from './routes/users/scim-routes.ts';
import { serveGroupConfirmationRoutes } from './routes/users/group-confirmation-routes.ts';
import { serveAccountPairRoutes } from './routes/users/account-pair-routes.ts';
import { serveRoleRoutes } from './routes/users/role-routes.ts';
import { serveSpaceRoutes } from './routes/users/space-routes.ts';
import { serveUsersRoutes } from './routes/users/users-routes.ts';
import { serveViewRoutes } from './routes/users/view-routes.ts';
import { servePolicyRoutes } from './routes/policy-routes.ts';
import { readForwardedFor } from './http/forwarded-for.ts';
import { nameRequest } from './http/name-request.ts';
import { notFound, problemHandler } from './http/problem-handler.ts';
import { noteRefusal } from './http/note-refusal.ts';
import { refuseForeignHost } from './http/foreign-host.ts';
import { countAddress } from './http/within-limit.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { createConcurrencyLimiter } from './http/concurrency-limiter.ts';
import { createServe } from './http/route.ts';
import { refuseMethod } from './http/refuse-method.ts';
import { serveReportRoute } from './routes/report-route.ts';
import { serveServerRoutes } from './routes/server-routes.ts';
import { serveStateRoutes } from './routes/state-routes.ts';
import { serveKeepingRoutes } from './routes/keeping-routes.ts';
import { serveAdminTokenRoutes } from './routes/users/admin-token-routes.ts';
import { serveWorkloadRoutes } from './routes/users/workload-routes.ts';
import { serveApplyRoutes } from './routes/users/apply-routes.ts';
import { serveWebhookRoutes } from './routes/webhook-routes.ts';
import { serveNotificationRoutes } from './routes/users/notification-routes.ts';
import { serveStopRoutes } from './routes/stop-routes.ts';
import { serveStreamRoutes } from './routes/stream-routes.ts';

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
