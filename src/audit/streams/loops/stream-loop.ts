import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { streamLog } from '../verbs.ts';
import type { LogStream, StreamSign, StreamState, StreamWays } from '../contract.ts';
import { createLoop, untilDue, type Loop } from '#platform/nodes/loops/loop/loop';
import { createDeliver } from './create-deliver.ts';

/** Milliseconds between two looks without a sign; the signs of a node say all. */
const every = 600_000;

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
  const report = createStreamReporter(engine, log);
  const loop = createLoop(every, log, `the stream ${name}`, async () => {
    if (await streamLog(engine, { name, node }, deliver)) loop.within(0);
  });
  const onSigns: Loop['onSigns'] = ({ streams }) => {
    const sign = streams.find((each) => each.name === name);
    if (!sign) return loop.within(0); // it is new, or was forgotten
    report(sign);
    if (waits(sign)) loop.within(untilDue(sign.holder === node ? engine.now() : sign.heldUntil, engine.now()));
  };
  const stop = async (): Promise<void> => {
    await loop.stop();
    await engine.streams.release(name, node).catch((err: unknown) => log.warn({ err }, 'a stream was not released'));
  };
  return { ...loop, onSigns, stop };
}

/** Is there something to deliver, or to try again? */
const waits = ({ delivered, size, fault }: StreamState): boolean => delivered !== size || fault !== null;

/** Says how the stream stands, and in the node's log if it begins to fail or goes on. */
function createStreamReporter({ health }: Engine, log: Logger): (sign: StreamSign) => void {
  let isFailing = false;
  return ({ holder: _holder, heldUntil: _until, ...state }) => {
    const { name: stream, fault } = state;
    health.hearStream(state);
    if (fault !== null && !isFailing) log.warn({ stream, code: fault }, 'a stream of the log fails');
    if (fault === null && isFailing) log.info({ stream }, 'a stream of the log goes on');
    isFailing = fault !== null;
  };
}
