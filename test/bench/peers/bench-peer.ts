import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Prepared } from '../prepared.ts';
import { familyCpu } from '../process-cpu.ts';
import type { Done, Work } from './asker-process.ts';
import type { Place } from './peer.ts';
import type { PeersDatabase } from './peers-database.ts';
import { peers, type PeerName } from './peers.ts';

/** What all lifecycles of a piece of work used: microseconds of CPU, statements and bytes; null if it cannot be told. */
export interface Used {
  asker: number;
  answerer: number;
  server: number | null;
  postgres: number | null;
  statements: number;
  wal: number;
}

export type Worked = Pick<Done, 'count' | 'seconds' | 'latencies'> & { used: Used };

export interface BenchPeer {
  run(work: Work): Promise<Worked>;
  stop(): Promise<void>;
}

/** A peer with its processes, on a database of its own. */
export async function startPeer(name: PeerName, database: PeersDatabase, prepared: Prepared): Promise<BenchPeer> {
  const peer = await peers[name].load();
  const own = await database.create(peer.template);
  const place: Place = { databaseUrl: own.url, addresses: {}, prepared };
  const server = await peer.startServer?.(place);
  const asker = startAsker(name, { ...place, addresses: server?.addresses ?? {} });
  const count = async () => ({ ...(await own.count()), server: server ? familyCpu(server.pid) : null });
  const stop = async (): Promise<void> => {
    await asker.stop();
    await server?.stop();
    await own.drop();
  };
  await asker.ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    async run(work) {
      const before = await count();
      const { asker: ofAsker, answerer, ...done } = await asker.run(work);
      const after = await count();
      const between = (counter: 'server' | 'postgres'): number | null => difference(after[counter], before[counter]);
      const used: Used = {
        asker: ofAsker,
        answerer,
        server: between('server'),
        postgres: between('postgres'),
        statements: after.statements - before.statements,
        wal: after.wal - before.wal,
      };
      return { ...done, used };
    },
    stop,
  };
}

const difference = (last: number | null, first: number | null): number | null =>
  last === null || first === null ? null : last - first;

/** Seconds until a process that says nothing is given up. */
const patience = 30;

const program = path.join(import.meta.dirname, `asker-process${path.extname(import.meta.filename)}`);

function startAsker(name: PeerName, place: Place) {
  const child = fork(program, [name, JSON.stringify(place)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2000)));
  const ended = once(child, 'exit').then(() => {
    throw new TypeError(complaint.split('\n').find((line) => line.includes('Error')) ?? 'Its process ended.');
  });
  ended.catch(() => {}); // also rejects when it is no longer awaited
  const nextMessage = async (seconds: number): Promise<unknown> => {
    const tooLate = new AbortController();
    const late = sleep(seconds * 1000, undefined, tooLate).then(() => {
      throw new TypeError(`It did not end within ${seconds} s.`);
    });
    const [message] = (await Promise.race([once(child, 'message'), ended, late]).finally(() => tooLate.abort())) as [
      unknown,
    ];
    return message;
  };
  return {
    ready: nextMessage(patience),
    async run(work: Work): Promise<Done> {
      child.send(work);
      return (await nextMessage(work.seconds + patience)) as Done;
    },
    async stop(): Promise<void> {
      child.kill();
      await ended.catch(() => {});
    },
  };
}
