import { setTimeout as sleep } from 'node:timers/promises';
import { drawFrom } from '../support/draw.ts';
import { until } from '../support/poll.ts';
import { applyFault } from './apply-fault.ts';
import { check, type Verdict } from './checker.ts';
import { drawFaults, nameFault, type FaultKind } from './faults.ts';
import { readFinalState, type FinalState } from './final-state.ts';
import { openHistory, type Happening, type History } from './history.ts';
import { startHouse, untilReady, type House } from './house.ts';
import type { PoolMode } from './pgbouncer.ts';
import { courses, runLifecycle, type Course } from './lifecycle.ts';

export interface RunOptions {
  lifecycles: number;
  seed: number;
  /** Over how many seconds the lifecycles begin, with a fault every two. */
  seconds: number;
  faults?: readonly FaultKind[] | undefined;
  /** With one, there is a PgBouncer in front of PostgreSQL. */
  poolMode?: PoolMode | undefined;
  /** Where the history is written. */
  file: string;
}

export interface RunResult {
  verdicts: Verdict[];
  happenings: readonly Happening[];
  final: FinalState;
  seconds: number;
}

/** Runs the lifecycles while faults happen, and judges the history and the rows when all is over. */
export async function runChaos(options: RunOptions): Promise<RunResult> {
  const began = Date.now();
  const history = openHistory(options.file);
  const house = await startHouse(options.poolMode);
  try {
    const draw = drawFrom(options.seed);
    await Promise.all([runLoad(house, history, draw, options), runFaults(house, history, draw, options)]);
    const final = await settle(house, history);
    const { happenings } = history;
    return { verdicts: check(happenings, final), happenings, final, seconds: (Date.now() - began) / 1000 };
  } finally {
    await house.remove();
  }
}

/** Milliseconds from the last beginning in which every lifecycle has to end. */
const patience = 120_000;

/** Lifecycles in progress, so that a slow machine has more time and not more work. */
const maxAtOnce = 100;

async function runLoad(house: House, history: History, draw: () => number, options: RunOptions): Promise<void> {
  const { lifecycles, seconds } = options;
  const cast = { history, callers: house.callers, voters: house.voters };
  const running = new Set<Promise<void>>();
  const chosen = Array.from({ length: lifecycles }, (_, at) => courses[at % courses.length] as Course);
  const began = Date.now();
  for (const [at, course] of chosen.entries()) {
    await sleep(Math.max(0, began + ((at + draw()) * seconds * 1000) / lifecycles - Date.now()));
    while (running.size >= maxAtOnce) await Promise.race(running);
    const lifecycle: Promise<void> = runLifecycle(cast, `call-${at}`, course).finally(() => running.delete(lifecycle));
    running.add(lifecycle);
  }
  const over = new AbortController();
  await Promise.race([Promise.all(running), sleep(patience, undefined, over).catch(() => {})]);
  over.abort();
}

async function runFaults(house: House, history: History, draw: () => number, options: RunOptions): Promise<void> {
  for (const fault of drawFaults(draw, Math.floor(options.seconds / 2), options.faults)) {
    const began = Date.now();
    const isMet = await applyFault(house, fault);
    history.add({ kind: 'fault', fault: isMet ? nameFault(fault) : 'kill anywhere', place: String(fault.place) });
    await sleep(Math.max(0, began + 2000 - Date.now()));
  }
}

/** When the nodes are up and the log has taken in all: what the rows are, and whether they follow from the log. */
async function settle(house: House, history: History): Promise<FinalState> {
  const refused = { kind: 'refused', name: 'a node', verb: '/readyz', code: 'unavailable' } as const;
  await untilReady(house).catch(() => history.add(refused));
  const isPlaced = async (): Promise<boolean> =>
    (await house.postgres.run('SELECT count(*)::int FROM audit_queue'))[0] === 0;
  await until(isPlaced, { within: 30_000 }).catch(() => {}); // the checker says how many wait
  await house.stopNodes();
  const { fault, waiting } = await house.operate((operator) => operator.verifyLog({ keys: [], kept: [] }));
  return readFinalState(house.postgres.url, { fault, waiting });
}
