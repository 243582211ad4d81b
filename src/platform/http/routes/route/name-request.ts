import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { readRequest, requestFields, runRequest } from '../../client/current-request.ts';

/** Answers each request under an id, which is in each line of the log that is written for it. */
export const nameRequest =
  (log: Logger): RequestHandler =>
  (incoming, response, next) => {
    const request = readRequest(incoming.headers['x-request-id'], incoming.headers['traceparent']);
    const { requestId, trace } = request;
    Object.assign(response.locals, { requestId, traceparent: trace?.header ?? null });
    response.setHeader('x-request-id', requestId);
    const startedAt = performance.now();
    response.once('close', () => {
      request.isOver = true;
      if (!log.isLevelEnabled('debug')) return;
      const { method, path } = incoming;
      const ms = Math.round(performance.now() - startedAt);
      const line = { method, path: withoutToken(path), status: response.statusCode, ms };
      log.debug({ ...requestFields(request), ...line }, 'request answered');
    });
    runRequest(request, next);
  };

/** A token in a path opens its question, so it is not logged. */
export const withoutToken = (path: string): string => path.replace(/^\/(e|go|credentials|callback)\/.+$/i, '/$1/…');
