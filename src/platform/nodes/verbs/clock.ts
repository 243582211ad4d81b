/** The time that decides: the database's, which all nodes share. */
export interface Clock {
  /** Whole milliseconds since 1970, as the database counts them. */
  now(): number;
  /** Asks for something that also says what time it is in the database, and goes by it from then on. */
  follow<T extends { at: number }>(ask: () => Promise<T>): Promise<T>;
  /** Milliseconds by which this machine's own clock is ahead; less than 0 if it is behind. */
  ahead(): number;
}

interface Machine {
  /** Milliseconds since some moment: no one sets this clock. */
  elapsed(): number;
  /** Milliseconds since 1970 by the clock of the machine. */
  time(): number;
}

const thisMachine: Machine = { elapsed: () => performance.now(), time: () => Date.now() };

/**
 * Follows the database's clock, and is never ahead of it, so that nothing expires early. An answer was made at some
 * moment between the question and its arrival, so that a slow one corrects only what it proves wrong; and it does not
 * matter how, or when, the machine's own clock is set.
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
