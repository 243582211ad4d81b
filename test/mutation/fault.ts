import { existsSync, readFileSync } from 'node:fs';

/** One small fault: where in a file this text becomes another, and which test files ought to see it. */
export interface Fault {
  file: string;
  /** Exactly once in the file. */
  text: string;
  becomes: string;
  tests: readonly string[];
}

/** Faults of one file, each as what becomes what, for the same tests. */
export const faultsOf = (file: string, tests: readonly string[], changes: readonly [string, string][]): Fault[] =>
  changes.map(([text, becomes]) => ({ file, tests, text, becomes }));

/** Can it still be put in, and are there the tests that ought to see it? */
export function isThere({ file, text, tests }: Fault): boolean {
  const result = existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;
  return result === 1 && tests.length > 0 && tests.every((test) => existsSync(test));
}
