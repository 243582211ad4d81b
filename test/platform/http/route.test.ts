import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '#platform/crypto/random';
import { elicitationRoutes } from '#requests/asking/contract/routes';
import { Problem } from '#platform/model/problem';
import type { Authenticate } from '#platform/http/routes/authenticate';
import { createServe } from '#platform/http/routes/route';
import { question } from '../../support/nodes/asking.ts';
import { until } from '../../support/poll.ts';

let listening: Server;
afterEach(() => void listening.close());

/** Openings and votes behind a gate that stays shut until it is opened; what has begun. */
async function startRoutes() {
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const authenticate = {
    key: async () => ({}),
    session: async () => ({}),
    kept: { key: () => null, session: () => null },
    countCall: async () => async () => {},
    work: () => () => {},
    bodies: () => () => {},
    limiter: (work: () => Promise<unknown>) => work(),
    backpressure: () => new Promise<void>((resolve) => gates.push(resolve)),
  } as unknown as Authenticate;
  const app = express();
  const note = (name: string) => async () => {
    begun.push(name);
    throw new Problem('not-found');
  };
  const serve = createServe(app, authenticate);
  serve(elicitationRoutes.openElicitation, note('opening'));
  serve(elicitationRoutes.castVote, note('vote'));
  app.use(((_error, _request, response, _next) => response.end()) satisfies express.ErrorRequestHandler);
  listening = app.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { begun, gates, post };
}

test('an opening waits for notifications that are behind, and a vote never does', async () => {
  const { begun, gates, post } = await startRoutes();
  const opening = post('/v1/elicitations', question);
  await until(() => gates.length === 1);
  await post(`/api/elicitations/${newId('elicitation')}/vote`, { action: 'accept', digest: 'a'.repeat(64) });
  expect([begun, gates.length]).toEqual([['vote'], 1]);
  gates[0]?.();
  await opening;
  expect(begun).toEqual(['vote', 'opening']);
});
