import type { UserId } from './id.ts';

/** The usual questions of reviewers; docs/audit-sql.md has each in SQL. */
export const reportIds = [
  'approvals',
  'own-approvals',
  'automatic',
  'overrides',
  'edited',
  'hasty',
  'could-approve',
  'readers',
  'policy-changes',
  'access',
] as const;
export type ReportId = (typeof reportIds)[number];

/** What a column holds: `person` is an id, `people` are several, `time` milliseconds since 1970, and `list` several texts. */
export const cellKinds = ['text', 'person', 'people', 'request', 'time', 'seconds', 'number', 'flag', 'list'] as const;

export interface ReportColumn {
  name: string;
  kind: (typeof cellKinds)[number];
}

export type Cell = string | number | boolean | null | string[];

export const reportFilters = ['person', 'tool', 'server', 'policy'] as const;

/** From a time until before another, in milliseconds since 1970, and only what fits the rest. */
export interface ReportFilter {
  from: number;
  to: number;
  person?: UserId | undefined;
  tool?: string | undefined;
  server?: string | undefined;
  policy?: string | undefined;
}

export interface Report {
  columns: readonly ReportColumn[];
  rows: Cell[][];
  /** Whether there are more rows than these. */
  isCut: boolean;
}

/** What is known of an entry: it is under a signed head, it has no place yet, or it does not belong to the log. */
export const proofStates = ['verified', 'waiting', 'broken'] as const;
export type ProofState = (typeof proofStates)[number];
