import type { Worker } from 'node:cluster';
import type { NodeMetrics } from '#platform/nodes/wiring';

/** Between a worker that is asked for metrics, the process that started it, and the other workers. */
type Message =
  | { type: 'gather-metrics'; id: number }
  | { type: 'read-metrics'; id: string }
  | { type: 'metrics'; id: string; metrics: NodeMetrics }
  | { type: 'gathered-metrics'; id: number; all: NodeMetrics[] };

/** A worker that does not answer in time is left out. */
const timeoutMs = 2_000;

/** In a worker: reads the metrics of all other workers. */
export function createGatherMetrics(): () => Promise<NodeMetrics[]> {
  const waiting = new Map<number, (all: NodeMetrics[]) => void>();
  let lastId = 0;
  process.on('message', (message: Message) => {
    if (message.type === 'gathered-metrics') waiting.get(message.id)?.(message.all);
  });
  return async () => {
    const id = ++lastId;
    const answer = new Promise<NodeMetrics[]>((resolve) => waiting.set(id, resolve));
    send({ type: 'gather-metrics', id });
    return within(2 * timeoutMs, answer, []).finally(() => waiting.delete(id));
  };
}

/** In a worker: answers what other workers ask. */
export function answerMetrics(read: () => Promise<NodeMetrics>): void {
  process.on('message', (message: Message) => {
    if (message.type !== 'read-metrics') return;
    void read().then((metrics) => send({ type: 'metrics', id: message.id, metrics }));
  });
}

const send = (message: Message): void => void (process.connected && process.send?.(message));

/** In the process that started the workers: passes on what this one asks of those that serve. */
export function relayMetrics(worker: Worker, serving: () => Iterable<Worker>): void {
  worker.on('message', (message: Message) => {
    if (message.type !== 'gather-metrics') return;
    const others = [...serving()].filter((other) => other !== worker && other.isConnected());
    const reads = others.map((other) => within(timeoutMs, readFrom(other, `${worker.id}.${message.id}`), null));
    void Promise.all(reads).then((answers) => {
      const all = answers.filter((metrics) => metrics !== null);
      if (worker.isConnected()) worker.send({ type: 'gathered-metrics', id: message.id, all } satisfies Message);
    });
  });
}

function readFrom(worker: Worker, id: string): Promise<NodeMetrics> {
  return new Promise((resolve) => {
    const onMessage = (message: Message): void => {
      if (message.type !== 'metrics' || message.id !== id) return;
      worker.off('message', onMessage);
      resolve(message.metrics);
    };
    worker.on('message', onMessage);
    setTimeout(() => worker.off('message', onMessage), timeoutMs).unref();
    worker.send({ type: 'read-metrics', id } satisfies Message);
  });
}

function within<T, E>(milliseconds: number, answer: Promise<T>, otherwise: E): Promise<T | E> {
  const timeout = new Promise<E>((resolve) => setTimeout(resolve, milliseconds, otherwise).unref());
  return Promise.race([answer, timeout]);
}
