import { statuses } from '#requests/asking/contract/elicitation';
import type { ElicitationId, UserId } from '#platform/model/id';

/** The usual questions of reviewers; docs/audit-sql.md has each in SQL. */
export const reportIds = [
  'approvals',
  'requests',
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

/** Is each row of the answer about a request of one server? People of a space ask these questions about its servers. */
export const isByServer = (id: ReportId): boolean => !ofAllServers.includes(id);
const ofAllServers: ReportId[] = ['could-approve', 'readers', 'policy-changes', 'access'];

/** Characters: a receipt has 1 to 2 kB, and in a log of a million entries 7 kB for each vote that a device signed. The console takes bodies of 256 kB. */
export const maxReceiptLength = 240 * 1024;

/**
 * Kinds of cells: `person` is an id, `people` are several, `requester` stands for one, `time` is milliseconds since
 * 1970, and `list` several texts.
 */
export const cellKinds = [
  'text',
  'person',
  'people',
  'requester',
  'request',
  'time',
  'seconds',
  'number',
  'flag',
  'list',
] as const;

export interface ReportColumn {
  name: string;
  kind: (typeof cellKinds)[number];
}

export type Cell = string | number | boolean | null | string[];

export const reportFilters = [
  'person',
  'tool',
  'server',
  'policy',
  'client',
  'requester',
  'request',
  'outcome',
  'hours',
] as const;

/** Outcome of a request: its status, or why its approval was never used. */
export const requestOutcomes = [...statuses, 'lapsed', 'revoked'] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

/** From a time until before another, in milliseconds since 1970, and only what fits the rest. */
export interface ReportFilter {
  from: number;
  to: number;
  person?: UserId | undefined;
  tool?: string | undefined;
  server?: string | undefined;
  policy?: string | undefined;
  /** Name of the asking client. */
  client?: string | undefined;
  /** The requester: every keyed hash that stands for them, at any server. */
  requester?: string[] | undefined;
  request?: ElicitationId | undefined;
  outcome?: RequestOutcome | undefined;
  hours?: Hours | undefined;
}

/** Hours of a day in a time zone: from the first until before the second, which may be on the next day. */
export interface Hours {
  since: number;
  until: number;
  zone: string;
}

export interface Report {
  columns: readonly ReportColumn[];
  rows: Cell[][];
  /** Whether there are more rows than these. */
  isCut: boolean;
}

/** Verdicts on a receipt: with `unknown-key` it may have been signed under a secret that is gone. */
export const receiptVerdicts = ['genuine', 'altered', 'not-ours', 'unknown-key', 'no-receipt'] as const;
export type ReceiptVerdict = (typeof receiptVerdicts)[number];

/** States of an entry: it is under a signed head, it has no place yet, or it does not belong to the log. */
export const proofStates = ['verified', 'waiting', 'broken'] as const;
export type ProofState = (typeof proofStates)[number];
