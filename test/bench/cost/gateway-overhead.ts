import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openOperator } from '#server/open-operator';
import { nodeUrl } from '../../support/databases/node-login.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode } from '../bench-node.ts';
import { nodeOptions, type Prepared } from '../prepared.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { percentile, round } from '../statistics.ts';
import { measureGatewayLoad, type GatewayLoad } from './gateway-load.ts';
import { measureWeight, type GatewayWeight } from './gateway-weight.ts';
import { commands, connectTo, program, rateOf, startAddresses, timeOf, type Side } from './gateway-process.ts';

/** What the gateway costs a call that policies allow, by what the server speaks over, what one node bears, and what `wrap` weighs. */
export interface GatewayOverhead {
  stdio: Overhead;
  http: Overhead;
  load: GatewayLoad;
  weight: GatewayWeight;
}

/** Milliseconds of a call, by itself and behind the gateway. */
export interface Overhead {
  calls: number;
  direct: CallTimes;
  gated: CallTimes;
  /** What the gateway adds. */
  added: CallTimes;
  /** Calls in a second, many at a time. */
  perSecond: { direct: number; gated: number };
}

interface CallTimes {
  p50: number;
  p99: number;
}

const reading =
  'policy: reading\nmatch: { tool: read_note, annotations: { readOnlyHint: true } }\nallow: { ceiling: low }\n';
/** The same server, called directly and through the gateway, in turn: by `assentry wrap`, and over HTTP. */
export async function measureGateway(
  database: BenchDatabase,
  { key }: Prepared,
  scale: Scale,
): Promise<GatewayOverhead> {
  const { gatewayCalls: calls } = scale;
  const operator = await openOperator({ ...nodeOptions, databaseUrl: nodeUrl(database.url('gateway')) });
  await operator.applyPolicies([reading]);
  await operator.close();
  const node = await startBenchNode(database.url('gateway'));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-test-bench-gateway-'));
  const data = path.join(folder, 'data'); // apart from the server's file, which calls reach
  const env = { ...process.env, ASSENTRY_URL: node.url, ASSENTRY_API_KEY: key, ASSENTRY_DATA_DIR: data };
  try {
    const stdio = await compare(await openPipes(folder, env), calls);
    // What a server reaches is its identity, and the pins of one are kept in the data directory.
    const apart = { ...env, ASSENTRY_DATA_DIR: path.join(folder, 'http') };
    const http = await compare(await openAddresses(folder, apart), calls);
    const weight = await measureWeight(folder, env, scale.wrappedServers);
    return { stdio, http, load: await measureGatewayLoad(database, env, scale), weight };
  } finally {
    await node.stop();
  }
}

type Sides = readonly [direct: Side, gated: Side];

async function compare(sides: Sides, calls: number): Promise<Overhead> {
  try {
    const times: [number[], number[]] = [[], []];
    await Promise.all(sides.map((side) => side.call())); // whoever is first waits for the list of the tools
    for (let turn = 0; turn < calls; turn += 1)
      for (const at of [0, 1] as const) times[at].push(await timeOf(sides[at].call));
    const [direct, gated] = [summary(times[0]), summary(times[1])];
    const added = { p50: round(gated.p50 - direct.p50, 2), p99: round(gated.p99 - direct.p99, 2) };
    const perSecond = { direct: await rateOf(sides[0].call, calls), gated: await rateOf(sides[1].call, calls) };
    return { calls, direct, gated, added, perSecond };
  } finally {
    await Promise.all(sides.map((side) => side.close()));
  }
}

async function openPipes(folder: string, env: NodeJS.ProcessEnv): Promise<Sides> {
  const ledger = path.join(folder, 'ledger');
  writeFileSync(ledger, '');
  const words = [...program('test/gateway/notes-server'), ledger];
  const wrap = [...commands, 'wrap', '--server', 'notes', '--', process.execPath, ...words];
  return [await connect(words, process.env), await connect(wrap, env)];
}

async function openAddresses(folder: string, env: NodeJS.ProcessEnv): Promise<Sides> {
  const { server, gateway } = await startAddresses(folder, env);
  return [await connectTo(server), await connectTo(gateway)];
}

interface Answer {
  id: number;
  result?: { isError?: boolean };
}

async function connect(words: string[], env: NodeJS.ProcessEnv): Promise<Side> {
  const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface(child.stdout).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let id = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    id += 1;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = await answered;
    if (!answer.result || answer.result.isError) throw new TypeError(`It failed: ${JSON.stringify(answer)}`);
  };
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    call: () => ask('tools/call', { name: 'read_note', arguments: { text: 'a' } }),
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

const summary = (values: number[]): CallTimes => ({
  p50: round(percentile(values, 0.5), 2),
  p99: round(percentile(values, 0.99), 2),
});
