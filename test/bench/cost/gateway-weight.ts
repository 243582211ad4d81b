import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { percentile, round } from '../statistics.ts';
import { commands, memoryOf, program, shareOf } from './gateway-process.ts';

/** What servers over stdio weigh behind `assentry wrap`, all at once. */
export interface GatewayWeight {
  servers: number;
  /** Bytes of one `wrap` without its server, the median. */
  memory: number;
  /** The part of it that it takes from the machine; null where that cannot be read. */
  share: number | null;
  /** Milliseconds until the tools are listed, by itself and behind `wrap`, in turn; the medians. */
  start: { direct: number; wrapped: number };
}

/** Each server is started by itself and behind `wrap`, in turn; the wrapped ones stay. */
export async function measureWeight(folder: string, env: NodeJS.ProcessEnv, servers: number): Promise<GatewayWeight> {
  const wrapped: Started[] = [];
  const direct: Started[] = [];
  try {
    for (let at = 0; at < servers; at += 1) {
      const name = `notes-${at}`;
      const ledger = path.join(folder, name);
      writeFileSync(ledger, '');
      const words = [...program('test/gateway/notes-server'), ledger];
      direct.push(await start(words, process.env));
      const wrap = [...commands, 'wrap', '--server', name, '--', process.execPath, ...words];
      wrapped.push(await start(wrap, env));
    }
    const median = (values: number[]): number => round(percentile(values, 0.5), 0);
    const times = (started: Started[]): number => median(started.map(({ milliseconds }) => milliseconds));
    const processes = wrapped.map(({ child }) => ({ pid: child.pid ?? 0 }));
    const memory = median(processes.map(memoryOf));
    const shares = processes.map(shareOf).filter((share) => share !== null);
    return {
      servers,
      memory,
      share: shares.length === 0 ? null : median(shares),
      start: { direct: times(direct), wrapped: times(wrapped) },
    };
  } finally {
    await Promise.all([...direct, ...wrapped].map(({ child }) => stop(child)));
  }
}

interface Started {
  child: ChildProcess;
  milliseconds: number;
}

async function start(words: string[], env: NodeJS.ProcessEnv): Promise<Started> {
  const before = performance.now();
  const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const line = await lines.next();
      if (line.done === true) throw new TypeError(`It ended before it answered ${method}.`);
      if ((JSON.parse(line.value) as { id?: number }).id === id) return;
    }
  };
  const clientInfo = { name: 'bench', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask(2, 'tools/list', {});
  return { child, milliseconds: performance.now() - before };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}
