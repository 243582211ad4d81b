import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { openOperator } from '../../../src/installation/open-operator.ts';
import { nodeUrl } from '../../support/node-login.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode } from '../bench-node.ts';
import { nodeOptions, type Prepared } from '../prepared.ts';
import type { Scale } from '../scale.ts';
import { percentile, round } from '../statistics.ts';

/** Milliseconds of a call that policies allow, by itself and behind the gateway. */
export interface GatewayOverhead {
  calls: number;
  direct: CallTimes;
  wrapped: CallTimes;
  /** What the gateway adds. */
  added: { p50: number; p99: number };
  /** Calls in a second, many at a time, through one gateway. */
  perSecond: number;
}

interface CallTimes {
  p50: number;
  p99: number;
}

const reading = 'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }\n';
const root = path.resolve(import.meta.dirname, '../../..');
const extension = path.extname(import.meta.filename);
const program = (file: string): string[] => [...process.execArgv, path.join(root, `${file}${extension}`)];

/** The same server over stdio, called directly and through `assentry wrap`, in turn. */
export async function measureGateway(
  database: BenchDatabase,
  { key }: Prepared,
  { gatewayCalls: calls }: Scale,
): Promise<GatewayOverhead> {
  const operator = await openOperator({ ...nodeOptions, databaseUrl: nodeUrl(database.url('gateway')) });
  await operator.applyPolicies([reading]);
  await operator.close();
  const node = await startBenchNode(database.url('gateway'));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-test-bench-gateway-'));
  const ledger = path.join(folder, 'ledger');
  writeFileSync(ledger, '');
  const words = [...program('test/gateway/notes-server'), ledger];
  const env = { ...process.env, ASSENTRY_URL: node.url, ASSENTRY_API_KEY: key, ASSENTRY_DATA_DIR: folder };
  const wrap = [...program('src/cli/main'), 'wrap', '--server', 'notes', '--', process.execPath, ...words];
  const sides = [await connect(words, process.env), await connect(wrap, env)] as const;
  try {
    const times: [number[], number[]] = [[], []];
    await Promise.all(sides.map((side) => side.call())); // whoever is first waits for the list of the tools
    for (let turn = 0; turn < calls; turn += 1)
      for (const at of [0, 1] as const) times[at].push(await timeOf(sides[at].call));
    const [direct, wrapped] = [summary(times[0]), summary(times[1])];
    const added = { p50: round(wrapped.p50 - direct.p50, 2), p99: round(wrapped.p99 - direct.p99, 2) };
    return { calls, direct, wrapped, added, perSecond: await rateOf(sides[1].call, calls) };
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    await node.stop();
  }
}

interface Side {
  call(): Promise<void>;
  close(): Promise<void>;
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

async function timeOf(call: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** With 32 calls at a time. */
async function rateOf(call: () => Promise<void>, calls: number): Promise<number> {
  let remaining = calls;
  const lane = async (): Promise<void> => {
    while (remaining-- > 0) await call();
  };
  const duration = await timeOf(async () => void (await Promise.all(Array.from({ length: 32 }, lane))));
  return round(calls / (duration / 1000));
}

const summary = (values: number[]): CallTimes => ({
  p50: round(percentile(values, 0.5), 2),
  p99: round(percentile(values, 0.99), 2),
});
