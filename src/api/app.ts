import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { ApiParts } from './api-parts.ts';
import { createAuthenticate } from './authenticate.ts';
import { serveChatRoutes } from './chat-routes.ts';
import { secureHeaders, serveConsolePages } from './console-pages.ts';
import { serveConsoleRoutes } from './console-routes.ts';
import { serveDeliberationRoutes } from './deliberation-routes.ts';
import { serveDelegationRoutes } from './delegation-routes.ts';
import { serveGrantRoutes } from './grant-routes.ts';
import { serveHostedPages } from './hosted-pages.ts';
import { serveLogRoutes } from './log-routes.ts';
import { serveOperatorRoutes } from './operator-routes.ts';
import { serveKeyRoutes } from './key-routes.ts';
import { servePeopleRoutes } from './people-routes.ts';
import { servePolicyRoutes } from './policy-routes.ts';
import { notFound, problemHandler } from './problem-handler.ts';
import { refuseMethod } from './refuse-method.ts';
import { serveServerRoutes } from './server-routes.ts';
import { serveStateRoutes } from './state-routes.ts';
import { serveStreamRoutes } from './stream-routes.ts';

export interface ApiOptions extends Omit<ApiParts, 'authenticate'> {
  log: Logger;
  /** Where the built console lies. */
  consoleDirectory: string;
}

/** Everything Assentry says over HTTP. */
export function createApp({ log, consoleDirectory, ...options }: ApiOptions): Express {
  const parts = { ...options, authenticate: createAuthenticate(options.engine) };
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', 'loopback');
  app.use(secureHeaders(() => parts.engine.publicUrl()));
  serveOperatorRoutes(app, parts);
  serveServerRoutes(app, parts);
  serveStateRoutes(app, parts);
  serveStreamRoutes(app, parts);
  serveConsoleRoutes(app, parts);
  serveDeliberationRoutes(app, parts);
  servePeopleRoutes(app, parts);
  serveKeyRoutes(app, parts);
  serveDelegationRoutes(app, parts);
  serveGrantRoutes(app, parts);
  servePolicyRoutes(app, parts);
  serveLogRoutes(app, parts);
  serveHostedPages(app, parts);
  serveChatRoutes(app, parts);
  serveConsolePages(app, consoleDirectory);
  app.use(refuseMethod, notFound, problemHandler(log));
  return app;
}
