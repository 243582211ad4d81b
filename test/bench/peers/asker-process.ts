import { fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { question } from '../question.ts';
import type { FromAnswerer, ToAnswerer } from './answerer-process.ts';
import { clock, ownCpu } from './clocks.ts';
import type { Place } from './peer.ts';
import { peers, type PeerName } from './peers.ts';

// Asks, has another process answer, and waits: asker-process.js <peer> <place as JSON>

/** So many at a time, or so many begun in a second. */
export type Work = { seconds: number } & ({ inFlight: number } | { perSecond: number });

export interface Done {
  count: number;
  seconds: number;
  /** Milliseconds from the start of answering to the resumed code, one for each lifecycle. */
  latencies: number[];
  /** Microseconds of CPU. */
  asker: number;
  answerer: number;
}

/** Milliseconds between asking and answering under a steady load: what waits has come to rest. */
const thinking = 300;

const [, , name = '', place = ''] = process.argv;
const peer = await peers[name as PeerName].load();
const asker = await peer.startAsker(JSON.parse(place) as Place);
const answering = new Map<string, (began: number) => void>();
const text = JSON.stringify(question);
let latencies: number[] = [];
let onUsage: (cpu: number) => void = () => {};

const program = path.join(import.meta.dirname, `answerer-process${path.extname(import.meta.filename)}`);
const answerer = fork(program, [name, place], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
answerer.on('message', ({ answered, cpu }: FromAnswerer) => {
  if (answered) answering.get(answered.reference)?.(answered.began);
  else if (cpu === undefined) process.send?.('ready');
  else onUsage(cpu);
});
answerer.once('exit', () => process.exit(1));
process.on('message', (work: Work) => void run(work).then((done) => process.send?.(done)));
process.once('disconnect', () => process.exit(0));

async function run(work: Work): Promise<Done> {
  latencies = [];
  const [ownBefore, otherBefore] = [ownCpu(), await usageOfAnswerer()];
  const started = clock();
  await ('inFlight' in work ? keepInFlight(work) : keepPace(work));
  const seconds = (clock() - started) / 1000;
  const [own, other] = [ownCpu(), await usageOfAnswerer()];
  return { count: latencies.length, seconds, latencies, asker: own - ownBefore, answerer: other - otherBefore };
}

async function keepInFlight({ inFlight, seconds }: { inFlight: number; seconds: number }): Promise<void> {
  const end = clock() + seconds * 1000;
  const loop = async (): Promise<void> => {
    while (clock() < end) await runLifecycle(0);
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
}

async function keepPace({ perSecond, seconds }: { perSecond: number; seconds: number }): Promise<void> {
  const start = clock();
  const begin = async (at: number): Promise<void> => {
    await sleep(start + (at * 1000) / perSecond - clock());
    await runLifecycle(thinking);
  };
  await Promise.all(Array.from({ length: Math.ceil(perSecond * seconds) }, (_, at) => begin(at)));
}

async function runLifecycle(pause: number): Promise<void> {
  const { reference, resumed } = await asker.ask(text);
  if (pause > 0) await sleep(pause);
  const answered = new Promise<number>((resolve) => answering.set(reference, resolve));
  const arrival = (resumed ?? answered).then(clock);
  send({ reference });
  const [end, began] = await Promise.all([arrival, answered]);
  answering.delete(reference);
  latencies.push(end - began);
}

function usageOfAnswerer(): Promise<number> {
  const usage = new Promise<number>((resolve) => (onUsage = resolve));
  send('usage');
  return usage;
}

function send(message: ToAnswerer): void {
  answerer.send(message);
}
