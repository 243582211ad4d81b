import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Chat } from '#notify/chat/channel/channel';
import type { Engine } from '../../../nodes/verbs/engine/engine.ts';
import type { CheckReadiness } from '#audit/verify/verbs/verify-log';
import type { Authenticate } from '../authenticate/authenticate.ts';
import type { Rates } from '../../../config/config.ts';
import type { Serve } from '../route/route.ts';

/** What every group of routes needs. */
export interface ApiParts {
  app: Express;
  engine: Engine;
  serve: Serve;
  log: Logger;
  authenticate: Authenticate;
  /** The chats that are set up. */
  chats: readonly Chat[];
  /** Aborts when the node is about to stop: it reports that it is not ready, and still serves. */
  leaving: AbortSignal;
  /** Aborts when the node stops: streams end, long polls answer with the current state. */
  shutdown: AbortSignal;
  version: string;
  /** Asks the database over a connection of its own, which no other work occupies. */
  checkReadiness: CheckReadiness;
  /** The numbers of this node, as Prometheus reads them. */
  readMetrics: () => Promise<string>;
  /** How often each caller may call. */
  rates: Rates;
  /** Milliseconds between two signs of life on a stream. */
  heartbeat: number;
}
