import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../../src/client/client.ts';
import type { BenchNode, Weight } from '../bench-node.ts';
import type { HttpCaller } from './http-caller.ts';
import { runRound } from './rounds.ts';

export interface HeldCalls {
  held: number;
  /** Bytes more in the server's process for each held call; never below zero. */
  rss: number;
  heap: number;
}

/** Calls held as the client library holds them: all waits of a process share one stream. */
export async function weighStreamed(
  node: BenchNode,
  caller: HttpCaller,
  key: string,
  count: number,
): Promise<HeldCalls> {
  await openMany(caller, Math.min(count, 1000)); // what the first thousand leave behind is no cost of a held call
  const before = await node.weigh();
  let answered = 0;
  const client = createClient({
    url: node.url,
    apiKey: key,
    fetch: async (...args) => {
      const response = await fetch(...args);
      if (!args[0].endsWith('/stream')) answered += 1;
      return response;
    },
  });
  const ids = await openMany(caller, count);
  const gone = ids.map(() => new AbortController());
  const waits = ids.map((id, at) => client.waitForOutcome(id, { signal: gone[at]?.signal }));
  while (answered < count) await sleep(20);
  const after = await node.weigh();
  for (const controller of gone) controller.abort();
  await Promise.allSettled(waits);
  return share(before, after, count);
}

/** Calls held by a connection each, as a client without a stream would. */
export async function weighPolled(node: BenchNode, caller: HttpCaller, count: number): Promise<HeldCalls> {
  const ids = await openMany(caller, count);
  const before = await node.weigh();
  const polls = ids.map((id) => caller.poll(id));
  await sleep(Math.min(8000, 1000 + 5 * count)); // there is no answer that would tell that a poll has begun
  const after = await node.weigh();
  for (const poll of polls) poll.close();
  return share(before, after, count);
}

async function openMany(caller: HttpCaller, count: number): Promise<string[]> {
  const ids: string[] = [];
  const open = async (): Promise<void> => void ids.push((await caller.open()).id);
  await runRound(
    32,
    Array.from({ length: count }, () => open),
  );
  return ids;
}

const share = (before: Weight, after: Weight, pendingCall: number): HeldCalls => ({
  held: pendingCall,
  rss: Math.max(0, after.rss - before.rss) / pendingCall,
  heap: Math.max(0, after.heap - before.heap) / pendingCall,
});
