/** What an operator should look at although the node serves. */
export type Warning =
  /** The machine's clock is so many seconds ahead of the database's; less than 0 if it is behind. */
  | { code: 'clock-differs'; seconds: number }
  /** Entries get no places, since the log is not what was signed; the node's own log says why. */
  | { code: 'log-stands-still' }
  /** So many keys of servers expire soon, the first of them at this moment. */
  | { code: 'keys-expire'; keys: number; at: number };

/** What this node warns of now. */
export interface Health {
  warnings(): Warning[];
  /** Says that this is so; true if it was not so before. */
  warn(warning: Warning): boolean;
  /** Says that this is over. */
  clear(code: Warning['code']): void;
}

export function createHealth(): Health {
  const warnings = new Map<Warning['code'], Warning>();
  return {
    warnings: () => [...warnings.values()],
    warn(warning) {
      const isNew = !warnings.has(warning.code);
      warnings.set(warning.code, warning);
      return isNew;
    },
    clear: (code) => void warnings.delete(code),
  };
}
