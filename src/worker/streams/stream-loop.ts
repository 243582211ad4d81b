import type { Logger } from 'pino';
import type { Engine } from '../../engine/engine.ts';
import { findStream, streamLog } from '../../engine/log/stream-log.ts';
import type { LogStream, StreamWays } from '../../model/notifications/log-stream.ts';
import { createLoop, type Loop } from '../loop.ts';
import { createDeliver } from './create-deliver.ts';

/** Milliseconds between two looks. */
const every = 1000;

/** Streams the log to each receiver while the node runs; none waits for another. */
export const createStreamLoops = (engine: Engine, node: string, ways: StreamWays, log: Logger): Loop[] =>
  ways.streams.map((stream) => createStreamLoop(engine, node, { stream, ways }, log));

function createStreamLoop(
  engine: Engine,
  node: string,
  { stream, ways }: { stream: LogStream; ways: StreamWays },
  log: Logger,
): Loop {
  const { name } = stream;
  const deliver = createDeliver(engine, stream, ways);
  const tell = createTeller(engine, name, log);
  const loop = createLoop(every, log, `the stream ${name}`, async () => {
    if (await streamLog(engine, { name, node }, deliver)) loop.within(0);
    await tell();
  });
  const stop = async (): Promise<void> => {
    await loop.stop();
    await engine.streams.release(name, node).catch((err: unknown) => log.warn({ err }, 'a stream was not released'));
  };
  return { ...loop, stop };
}

/** Says how the stream stands, and in the node's log if it begins to fail or goes on. */
function createTeller(engine: Engine, name: string, log: Logger): () => Promise<void> {
  let isFailing = false;
  return async () => {
    const state = await findStream(engine, name);
    if (!state) return;
    engine.health.hearStream(state);
    if (state.fault !== null && !isFailing) log.warn({ stream: name, code: state.fault }, 'a stream of the log fails');
    if (state.fault === null && isFailing) log.info({ stream: name }, 'a stream of the log goes on');
    isFailing = state.fault !== null;
  };
}
