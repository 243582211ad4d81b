import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createClient } from '#sdk/client/client';
import { OpenElicitation } from '#requests/asking/contract/open';
import { createHttpCaller } from '../lifecycle/http-caller.ts';
import type { Prepared } from '../prepared.ts';
import { accepted, question } from '../question.ts';
import { runRound } from '../lifecycle/rounds.ts';

// The MCP server and the approver in a process of their own, so that what they cost is told apart from the node:
// node clients-process.js <url> <prepared as JSON>

export interface Round {
  inFlight: number;
  count: number;
}

export interface RoundCost {
  perSecond: number;
  /** Microseconds of CPU of this process, for all of the round. */
  cpu: number;
}

const [, , url = '', args = ''] = process.argv;
const prepared = JSON.parse(args) as Prepared;
const client = createClient({ url, apiKey: prepared.key });
const request = OpenElicitation.parse(question);
const approver = await createHttpCaller(url, prepared);

async function runLifecycle(): Promise<void> {
  const opened = await client.open({ ...request, call: randomUUID() });
  const outcome = client.waitForOutcome(opened.id);
  await approver.vote(opened);
  const { action, content } = await outcome;
  if (action !== accepted.action || content?.['confirmed'] !== true) throw new TypeError(`It ended as ${action}.`);
}

process.on('message', ({ inFlight, count }: Round) => void answer(inFlight, count));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

async function answer(inFlight: number, count: number): Promise<void> {
  const before = process.cpuUsage();
  const started = performance.now();
  await runRound(
    inFlight,
    Array.from({ length: count }, () => runLifecycle),
  );
  const perSecond = count / ((performance.now() - started) / 1000);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ perSecond, cpu: user + system } satisfies RoundCost);
}
