import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, runDigest } from '#sdk/client/client';
import { defaultLimits, defaultRates } from '#platform/config/config';
import { until } from '../support/poll.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/nodes/server.ts';

let server: TestServer;
afterEach(() => server.stop());

/**
 * False if the person has to try again: the node is full, many behind this address are about to say who they are, or it
 * closed the connection in the moment in which it is used again.
 */
async function accept(approver: TestUser, id: string): Promise<boolean> {
  const status = await approver.vote(id, 'accept').then(
    (response) => response.status,
    () => 503,
  );
  expect([200, 429, 503]).toContain(status);
  return status === 200;
}

test.each([
  [300, defaultRates],
  [32, { ...defaultRates, inProgress: 16, inProgressPerCaller: 8, streams: 20 }],
])(
  'of %d calls in flight each is opened, decided, claimed and completed, and no limit is an error',
  async (inFlight, rates) => {
    server = await startTestServer({ rates, limits: defaultLimits });
    const approvers = await Promise.all(Array.from({ length: 4 }, () => server.newUser('approver')));
    const apiKey = await server.newServerKey('crowd');
    const opened: string[] = [];
    const run = async (at: number): Promise<string> => {
      // Connections of its own, as each process has; on a busy machine, a node may be late with an answer.
      const client = createClient({ url: server.url, apiKey, requestTimeout: 120_000 });
      const call = {
        tool: { name: 'refund' },
        arguments: { order: `${inFlight}-${at}` },
        message: 'Refund?',
        requester: { subject: `user-${at % 9}` },
        audience: 'approvers' as const,
      };
      const { id, toolCall } = await client.open(call);
      opened.push(id);
      const { status } = await client.waitForOutcome(id);
      const attempt = `attempt-${at}`;
      const claimed = await client.claim(toolCall, { attempt, run: await runDigest(call) });
      await client.complete(toolCall, { attempt, result: { content: [] }, delivered: true });
      return `${status} ${claimed.state}`;
    };
    const vote = async (approver: TestUser): Promise<void> => {
      for (let left = inFlight; left > 0; left -= approvers.length) {
        const id = await until(() => opened.pop());
        while (!(await accept(approver, id))) await sleep(1_000);
      }
    };
    const runs = Promise.all(Array.from({ length: inFlight }, (_, at) => run(at)));
    const [results] = await Promise.all([runs, ...approvers.map(vote)]);
    expect(new Set(results)).toEqual(new Set(['accepted claimed']));
  },
);
