import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { StreamWays } from '#audit/streams/contract';
import type { MailServer } from '#notify/mail/contract';
import type { WebhookReach } from '#notify/webhooks/contract/webhook';
import type { Told } from './node-process.ts';

/** Bytes: all that the process has from the system, and what lives in it. */
export interface Weight {
  rss: number;
  heap: number;
}

export interface Usage {
  /** Microseconds. */
  cpu: number;
  /** The most bytes that it had from the system at any time. */
  memory: number;
  statements: number;
}

export interface BenchNode {
  url: string;
  pid: number;
  /** Collects garbage first. */
  weigh(): Promise<Weight>;
  /** All that it has used and sent since its start. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const program = path.join(import.meta.dirname, `node-process${path.extname(import.meta.filename)}`);

interface NodeShape {
  /** Refuses what is too much for it, as nodes do. */
  isBounded?: boolean;
  /** Where it streams the log to. */
  ways?: StreamWays;
  /** How it tells people and programs. */
  tells?: { smtp: MailServer; webhooks: WebhookReach };
}

const image = readFileSync('Dockerfile', 'utf8');
/** Node's own options, as the image sets them. */
const imageOptions = /^ENV NODE_OPTIONS="(.*)"$/m.exec(image)?.[1]?.split(' ') ?? [];
const arenas = /^ENV MALLOC_ARENA_MAX=(\d+)$/m.exec(image)?.[1];

/** A node in a process of its own. */
export async function startBenchNode(databaseUrl: string, shape: NodeShape = {}): Promise<BenchNode> {
  const flags = [
    ...(shape.isBounded ? ['--bounded'] : []),
    ...(shape.ways ? ['--streams', JSON.stringify(shape.ways)] : []),
    ...(shape.tells ? ['--tells', JSON.stringify(shape.tells)] : []),
  ];
  const child = fork(program, [databaseUrl, ...flags], {
    execArgv: ['--expose-gc', ...imageOptions, ...process.execArgv],
    env: { ...process.env, MALLOC_ARENA_MAX: arenas },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url = '' } = await nextTold(child);
  return {
    url,
    pid: child.pid ?? 0,
    async weigh() {
      child.send('memory');
      const { memory } = await nextTold(child);
      return memory ?? { rss: Number.NaN, heap: Number.NaN };
    },
    async usage() {
      child.send('usage');
      const { usage } = await nextTold(child);
      return usage ?? { cpu: Number.NaN, memory: Number.NaN, statements: Number.NaN };
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function nextTold(child: ChildProcess): Promise<Told> {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new TypeError(`The node ended with ${String(code)}.`);
  });
  exit.catch(() => {}); // also rejects when it is no longer awaited
  try {
    const [message] = (await Promise.race([once(child, 'message'), exit])) as [Told];
    return message;
  } finally {
    ended.abort();
  }
}
