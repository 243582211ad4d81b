import type { z } from 'zod';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { RouteContract } from '../contract/route.ts';
import type { Engine } from '../../nodes/verbs/engine.ts';
import { showElicitation } from '#requests/inbox/verbs/request';
import { assertVisible } from '#requests/inbox/verbs/visibility';
import type { ElicitationId } from '../../model/id.ts';
import type { SignedInUser, Alone } from '#people/directory/contract/user';
import type { RouteRequest, Answer, Serve } from './route.ts';
import type { MadeAlone, WaitingChange } from '#people/changes/contract';
import type { Change } from '#people/changes/verbs/changes';
import { aloneSentences, waitingSentence } from '#messages/english-power';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Chat } from '#notify/chat/channel/channel';
import type { CheckReadiness } from '#audit/verify/verbs/verify-log';
import type { Authenticate } from './authenticate.ts';
import type { Rates } from '../../config/config.ts';

type OnElicitation = RouteContract & {
  auth: 'session';
  params: z.ZodObject<{ id: z.ZodType<ElicitationId> }>;
  success: { 200: typeof ElicitationDetail };
};

/**
 * Serves a signed-in person's action on one request, and answers with the request after it. For people who may not see it, the
 * request does not exist.
 */
export function serveOnElicitation<R extends OnElicitation>(
  { engine, serve }: ApiParts,
  route: R,
  act: (engine: Engine, user: SignedInUser, id: ElicitationId, body: RouteRequest<R>['body']) => Promise<unknown>,
  field: 'content' | 'notice' = 'content',
): void {
  serve<OnElicitation>(route, async ({ caller, params: { id }, body }) => {
    await assertVisible(engine, caller, await engine.reader.elicitation(id), field);
    await act(engine, caller, id, body as RouteRequest<R>['body']);
    return showElicitation(engine, caller, id);
  });
}

/**
 * Answers with the change, and the reason why one administrator was enough; or with 202 and the request that waits for a second
 * one.
 */
export async function answerChange<D extends { alone: Alone | null }>(
  change: Change<D>,
  status: 200 | 201,
  show: (done: D) => object | Promise<object>,
  /** Members of the answer in either case. */
  also: object = {},
): Promise<Answer> {
  if (change.waits !== null) {
    const body: WaitingChange = { request: change.waits, sentence: waitingSentence };
    return { status: 202, body: { ...also, ...body } };
  }
  const { done } = change;
  return { status, body: { ...also, ...(await show(done)), alone: madeAlone(done.alone) } };
}

export const madeAlone = (because: Alone | null): MadeAlone =>
  because && { because, sentence: aloneSentences[because] };

/** Parts that every group of routes needs. */
export interface ApiParts {
  app: Express;
  engine: Engine;
  serve: Serve;
  log: Logger;
  authenticate: Authenticate;
  /** The configured chats. */
  chats: readonly Chat[];
  /** Aborts when the node is about to stop: it reports that it is not ready, and still serves. */
  leaving: AbortSignal;
  /** Aborts when the node stops: streams end, long polls answer with the current state. */
  shutdown: AbortSignal;
  version: string;
  /** Checks the database over a separate connection, which no other work occupies. */
  checkReadiness: CheckReadiness;
  /** The node's metrics for Prometheus. */
  readMetrics: () => Promise<string>;
  /** Call limits of each caller. */
  rates: Rates;
  /** Milliseconds between two signs of life on a stream. */
  heartbeat: number;
}
