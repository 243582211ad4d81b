import type { NodeWarning } from '#platform/nodes/contract/node-warning';

export interface SaidWarning {
  what: string;
  /** What follows from it for approvals. */
  means: string;
  todo: string;
}

/** What each warning says, in one language. */
export type Sentences = {
  [Code in NodeWarning['code']]: (
    warning: Extract<NodeWarning, { code: Code }>,
    moment: (at: number) => string,
  ) => SaidWarning;
};

/** The function that says a warning by this table. */
export function createFormat(table: Sentences) {
  return <W extends NodeWarning>(warning: W, moment: (at: number) => string): SaidWarning =>
    (table[warning.code] as (said: W, when: typeof moment) => SaidWarning)(warning, moment);
}
