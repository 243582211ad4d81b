import { Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { freePort } from '../../support/nodes/free-port.ts';
import { startProgram } from './program.ts';
import type { Peer, Place } from './peer.ts';

const queue = 'questions';
const token = 'answerer';

/** A job that is completed from outside, in the order of the queue, in a Redis that waits for the disk at each write. */
export const bullMq: Peer = {
  async startServer() {
    const port = await freePort();
    const server = await startProgram('redis-server', (directory) => ({
      parameters:
        `--port ${port} --bind 127.0.0.1 --appendonly yes --appendfsync always --save  --dir ${directory}`.split(' '),
      ready: () => isListening(port),
    }));
    return { ...server, addresses: { redis: String(port) } };
  },
  async startAsker(place) {
    const questions = new Queue<string>(queue, { connection: connectionOf(place) });
    const events = new QueueEvents(queue, { connection: connectionOf(place) });
    events.setMaxListeners(0);
    await events.waitUntilReady();
    return {
      async ask(question) {
        const job = await questions.add('ask', question, { jobId: randomUUID(), removeOnComplete: true });
        return { reference: job.id ?? '', resumed: job.waitUntilFinished(events).then(() => {}) };
      },
    };
  },
  startAnswerer(place) {
    const worker = new Worker<string>(queue, null, { connection: connectionOf(place) });
    return Promise.resolve({
      async answer() {
        const job = await worker.getNextJob(token);
        if (!job) throw new TypeError('There is no question.');
        await job.moveToCompleted('accept', token, false);
      },
    });
  },
};

const connectionOf = ({ addresses }: Place): Redis =>
  new Redis(Number(addresses['redis']), '127.0.0.1', { maxRetriesPerRequest: null });

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
