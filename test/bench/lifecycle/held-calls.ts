import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#sdk/client/client';
import type { BenchNode, Weight } from '../bench-node.ts';
import type { HttpCaller } from './http-caller.ts';
import { runRound } from './rounds.ts';

export interface HeldCalls {
  held: number;
  /** Bytes more in the nodes' processes for each held call; never below zero. */
  rss: number;
  heap: number;
}

/** A node, and an MCP server that asks there. */
export interface Door {
  node: BenchNode;
  caller: HttpCaller;
}

/** Calls held as the client library holds them, shared evenly among nodes: at each, all waits of a process share one stream. */
export async function weighStreamed(doors: Door[], key: string, count: number): Promise<HeldCalls> {
  const each = count / doors.length;
  // What the first thousand leave behind is no cost of a held call.
  await Promise.all(doors.map(({ caller }) => openMany(caller, Math.min(each, 1000))));
  const before = await weighAll(doors);
  const ids = await Promise.all(doors.map(({ caller }) => openMany(caller, each)));
  const waits = doors.map(({ node }, at) => waitForAll(node, key, ids[at] ?? []));
  await Promise.all(waits.map(({ answered }) => answered()));
  const after = await weighAll(doors);
  await Promise.all(waits.map(({ end }) => end()));
  return share(before, after, count);
}

function waitForAll({ url }: BenchNode, key: string, ids: string[]) {
  let answers = 0;
  const client = createClient({
    url,
    apiKey: key,
    fetch: async (...args) => {
      const response = await fetch(...args);
      if (!args[0].endsWith('/stream')) answers += 1;
      return response;
    },
  });
  const gone = ids.map(() => new AbortController());
  const waits = ids.map((id, at) => client.waitForOutcome(id, { signal: gone[at]?.signal }));
  return {
    async answered() {
      while (answers < ids.length) await sleep(20);
    },
    async end() {
      for (const controller of gone) controller.abort();
      await Promise.allSettled(waits);
    },
  };
}

async function weighAll(doors: Door[]): Promise<Weight> {
  const weights = await Promise.all(doors.map(({ node }) => node.weigh()));
  const sum = (part: keyof Weight): number => weights.reduce((total, weight) => total + weight[part], 0);
  return { rss: sum('rss'), heap: sum('heap') };
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
