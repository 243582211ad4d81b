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
