import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { round } from '../statistics.ts';

/** The server over HTTP, and the gateway in front of it. */
export async function startAddresses(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Record<'server' | 'gateway', Server>> {
  const server = await startServer(program('test/gateway/http/notes-server'), process.env);
  const config = path.join(folder, 'gateway.yaml');
  const notes = { url: server.url, key: { env: 'BENCH_KEY' } };
  writeFileSync(config, JSON.stringify({ port: 0, upstreams: { notes } }));
  const words = [...commands, 'gateway', '--config', config];
  const gateway = await startServer(words, { ...env, BENCH_KEY: env['ASSENTRY_API_KEY'] });
  return { server, gateway };
}

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A process that says its address. */
async function startServer(words: string[], env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(child.stderr)) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    const stop = async (): Promise<void> => {
      child.kill();
      await once(child, 'exit');
    };
    return { url, pid: child.pid ?? 0, stop };
  }
  throw new TypeError('It ended before it said its address.');
}

export interface Side {
  call(): Promise<void>;
  close(): Promise<void>;
}

export async function connectTo({ url, stop }: Server): Promise<Side> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  let id = 0;
  const ask = async (method: string, params: object): Promise<Response> => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (!text.includes('"result"') || text.includes('"isError":true')) throw new TypeError(`It failed: ${text}`);
    return response;
  };
  const clientInfo = { name: 'bench', version: '1' };
  const begun = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  headers['mcp-session-id'] = begun.headers.get('mcp-session-id') ?? '';
  return {
    call: async () => void (await ask('tools/call', { name: 'read_note', arguments: { text: `${id}` } })),
    close: stop,
  };
}

export async function timeOf(call: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** With 32 calls at a time. */
export async function rateOf(call: () => Promise<void>, calls: number): Promise<number> {
  let remaining = calls;
  const lane = async (): Promise<void> => {
    while (remaining-- > 0) await call();
  };
  const duration = await timeOf(async () => void (await Promise.all(Array.from({ length: 32 }, lane))));
  return round(calls / (duration / 1000));
}

/** Bytes that the process has in memory, garbage included. */
export const memoryOf = ({ pid }: Pick<Server, 'pid'>): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;

/** Its share of what it has in memory: of pages that several processes use, the program's own first of all, its part. Null but on Linux. */
export function shareOf({ pid }: Pick<Server, 'pid'>): number | null {
  const file = `/proc/${pid}/smaps_rollup`;
  if (!existsSync(file)) return null;
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]) * 1024;
}

const root = path.resolve(import.meta.dirname, '../../..');
const extension = path.extname(import.meta.filename);
/** The commands as they are shipped. */
export const commands = [path.join(root, 'dist/cli/main.js')];

/** How a program of ours is started as this one was. */
export const program = (file: string): string[] => [...process.execArgv, path.join(root, `${file}${extension}`)];
