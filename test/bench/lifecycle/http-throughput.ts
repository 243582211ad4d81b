import { awaitOutcomes } from './awaited-outcomes.ts';
import type { HttpCaller } from './http-caller.ts';
import { runRound } from './rounds.ts';
import type { Scale } from './scale.ts';
import { median } from '../statistics.ts';

export interface HttpThroughput {
  inFlight: number;
  perSecond: number;
}

/** Lifecycles through HTTP: asked with a POST, decided with a POST, resumed by the stream of outcomes. */
export async function measureHttp(caller: HttpCaller, { lifecycles, rounds }: Scale): Promise<HttpThroughput[]> {
  const outcomes = awaitOutcomes();
  const stream = await caller.listen(outcomes.onOutcome);
  const runLifecycle = async (): Promise<void> => {
    const opened = await caller.open();
    const arrival = outcomes.arrival(opened.id);
    await caller.vote(opened);
    await arrival;
  };
  const results: HttpThroughput[] = [];
  for (const [inFlight, count] of lifecycles) {
    const work = Array.from({ length: Math.ceil(count / 4) }, () => runLifecycle);
    await runRound(inFlight, work);
    const rates: number[] = [];
    for (let at = 0; at < rounds; at += 1) rates.push(await runRound(inFlight, work));
    results.push({ inFlight, perSecond: median(rates) });
  }
  stream.close();
  return results;
}
