import { Problem } from '../../model/problem/problem.ts';

interface BatchOptions {
  /** The most items in one statement. */
  maxSize?: number;
  /** The most statements in flight. Items that arrive meanwhile share the next one. */
  concurrency?: number;
}

/** The most turns of the event loop for which a batch waits while others join it. */
const maxTurns = 16;

/**
 * Lets callers that arrive together share one statement: `run` gets their items and answers in the same order. It leaves
 * after the first turn of the event loop in which no one joins. Each caller gets its own answer, or the error of its own
 * item: a failed batch is repeated one by one. After a fault of the database, all callers get it and nothing is repeated,
 * because the items may have been stored.
 */
export function batch<I, O>(run: (items: I[]) => Promise<O[]>, { maxSize = 64, concurrency = 2 }: BatchOptions = {}) {
  const waiting: Waiting<I, O>[] = [];
  let flying = 0;
  let isLeaving = false;

  async function fly(): Promise<void> {
    flying += 1;
    while (waiting.length > 0) await deliver(waiting.splice(0, maxSize), run);
    flying -= 1;
  }

  /** Work that waited begins in a turn of its own, so those who come one turn after the other share a statement. */
  function leave(joined: number, turn = 1): void {
    setImmediate(() => {
      const { length } = waiting;
      if (length > joined && length < maxSize && turn < maxTurns) return leave(length, turn + 1);
      isLeaving = false;
      if (flying < concurrency && length > 0) void fly();
    });
  }

  return (item: I): Promise<O> =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isLeaving || flying >= concurrency) return;
      isLeaving = true;
      leave(waiting.length);
    });
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

async function deliver<I, O>(waiting: Waiting<I, O>[], run: (items: I[]) => Promise<O[]>): Promise<void> {
  try {
    const answers = await run(waiting.map(({ item }) => item));
    for (const [at, { resolve }] of waiting.entries()) resolve(answers[at] as O);
  } catch (error) {
    if (waiting.length === 1 || isFault(error)) for (const { reject } of waiting) reject(error);
    else for (const each of waiting) await deliver([each], run);
  }
}

const isFault = (error: unknown): boolean => error instanceof Problem && error.code === 'database-unavailable';
