import { performance } from 'node:perf_hooks';
import type { ElicitationState } from '#requests/asking/contract/open';

/** Outcomes that someone here waits for, by elicitation. */
export interface AwaitedOutcomes {
  /** Resolves with the moment at which the outcome arrived, on the clock of `performance.now()`. */
  arrival(id: string): Promise<number>;
  onOutcome(state: ElicitationState): void;
}

export function awaitOutcomes(): AwaitedOutcomes {
  const waiting = new Map<string, (at: number) => void>();
  return {
    arrival: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    onOutcome({ id, action }) {
      const resolve = waiting.get(id);
      waiting.delete(id); // an event may come more than once
      if (resolve && action === 'accept') resolve(performance.now());
    },
  };
}
