/** The time that decides: the database's, which all nodes share. */
export interface Clock {
  /** Whole milliseconds since 1970, as the database counts them. */
  now(): number;
  /** Asks a question whose answer includes the database's time, and follows that time. */
  follow<T extends { at: number }>(ask: () => Promise<T>): Promise<T>;
  /** Milliseconds by which this machine's own clock is ahead; less than 0 if it is behind. */
  ahead(): number;
}

interface Machine {
  /** Milliseconds since some moment, by a clock that is never set. */
  elapsed(): number;
  /** Milliseconds since 1970 by the clock of the machine. */
  time(): number;
}

const thisMachine: Machine = { elapsed: () => performance.now(), time: () => Date.now() };

/**
 * A clock that follows the database's, and is never ahead of it, so that nothing expires early. An answer was made at some
 * moment between the question and its arrival, so a slow one corrects only what it proves wrong; how and when the machine's own
 * clock is set does not matter.
 */
export function createClock(machine: Machine = thisMachine): Clock {
  let offset: number | null = null;
  const now = (): number => Math.trunc(offset === null ? machine.time() : machine.elapsed() + offset);
  return {
    now,
    async follow(ask) {
      const askedAt = machine.elapsed();
      const answer = await ask();
      const [least, most] = [answer.at - machine.elapsed(), answer.at - askedAt];
      offset = Math.min(Math.max(offset ?? least, least), most);
      return answer;
    },
    ahead: () => machine.time() - now(),
  };
}

/** A clock that only its holder moves. For tests. */
export const heldClock = (now: () => number): Clock => ({ now, follow: (ask) => ask(), ahead: () => 0 });
