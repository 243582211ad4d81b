import type { AuditEntry } from '#audit/entries/rules/entry';
import { upgrade } from '../../../machine/rules/step/migrations.ts';
import type { ElicitationMachineState, Timer } from '../../../machine/rules/step/step.ts';
import { fullState, storedState } from '../../../machine/rules/step/stored-state.ts';
import type { Topic } from '../../../asking/contract/elicitation.ts';
import type { ToolCallId, UserId } from '#platform/model/id';
import type { RowOf } from '#platform/database/sql';
import type { Epoch } from '#platform/database/epochs';
import type { changedColumns, elicitationTable, revisedColumns } from './elicitation.ts';
import type { grantTable } from '../../../grants/store/tables.ts';
import type { breakGlassTable, remarkTable, revisionTable, voteTable } from '../../../deliberation/store/tables.ts';

type Columns = RowOf<typeof elicitationTable.columns>;

/** One elicitation as stored, with its whole state. */
export interface ElicitationRow extends Omit<Columns, 'state' | 'wakeAt'> {
  serverName: string;
  state: ElicitationMachineState;
}

export type NewElicitation = Omit<ElicitationRow, 'serverName' | 'dataKey' | 'readers'> & { dataKey: Uint8Array };

export interface NewToolCall {
  id: ToolCallId;
  keyHash: Uint8Array;
}

/** A row that hangs on a request, of which the change says the request and the time. */
type Hanging<T extends { columns: object }> = Omit<RowOf<T['columns']>, 'elicitationId' | 'at'>;

export type NewVote = Hanging<typeof voteTable>;

/** The edited question, which replaces the one it was decided on. */
export interface RevisedQuestion extends Pick<ElicitationRow, (typeof revisedColumns)[number]> {
  /** Does its policy announce it in chat? */
  isTold: boolean;
}

/** The question that an edit replaced. */
export type ReplacedQuestion = Hanging<typeof revisionTable>;

export type NewRemark = Hanging<typeof remarkTable>;

/** The next of one person's paced approvals. */
export interface ApproverTurn {
  user: UserId;
  /** How many there were when it was decided. */
  after: number;
}

export type NewBreakGlass = Omit<Hanging<typeof breakGlassTable>, keyof typeof unreviewed>;

/** An emergency override, or a request for a later look, before its review. */
export const unreviewed = { reviewerId: null, reviewedAt: null, finding: null };

/** A standing approval, made with the vote that completes the approval. */
export type NewGrant = Omit<
  RowOf<typeof grantTable.columns>,
  'elicitationId' | 'createdAt' | 'suspendedAt' | 'revokedAt' | 'revokedBy'
>;

/** What each change decides. */
type Decided = Exclude<(typeof changedColumns)[number], 'readers' | 'wakeAt'>;

/** The next state of a row, with everything that must be written in the same commit. */
export interface ElicitationChange extends Pick<ElicitationRow, Decided> {
  /** The row this change was decided on. */
  row: ElicitationRow;
  vote: NewVote | null;
  revised?: RevisedQuestion;
  replaced?: ReplacedQuestion;
  remark?: NewRemark;
  breakGlass?: NewBreakGlass;
  grant?: NewGrant;
  /** The hash of a session that must still exist. */
  session?: Uint8Array;
  /** Nothing is stored if another of the person's paced approvals was first. */
  turn?: ApproverTurn;
  entry: AuditEntry;
  /** What must be announced, most important first. */
  topics: [Topic, ...Topic[]];
  /** The epoch of the people, policies or stops on which it was decided. */
  epoch?: Partial<Epoch>;
}

/** The row that an opening stores. */
export const rowOf = (elicitation: NewElicitation, serverName: string): ElicitationRow => ({
  ...elicitation,
  serverName,
  readers: readersOf(elicitation.state),
});

/** The row after this change. */
export function nextRow({ row, revised, ...change }: ElicitationChange): ElicitationRow {
  const { status, cause, caller, state, deadlineAt, closedAt, answer } = change;
  const decided: Pick<ElicitationRow, Decided> = { status, cause, caller, state, deadlineAt, closedAt, answer };
  const next = { ...row, ...decided, version: row.version + 1, readers: readersOf(state, row.readers) };
  if (!revised) return next;
  const { isTold: _told, ...question } = revised;
  return { ...next, ...question };
}

/** The columns of a row, whose state is stored without what they say. */
export function columnsOf(row: Omit<ElicitationRow, 'serverName'>): Columns {
  const state = storedState(row.state, row);
  return { ...row, state, wakeAt: earliest(state.timers) };
}

/** The row of these columns. */
export const rowFrom = (columns: Omit<Columns, 'wakeAt'>, serverName: string): ElicitationRow => ({
  ...columns,
  serverName,
  state: upgrade(fullState(columns.state, columns)),
});

/**
 * Everyone whom the request names as an approver, a voter or the user of the emergency override, and whom it has named
 * before, or `anyone` alone. No one else reads it for what its row or votes say, so lists look by these names first.
 */
export function readersOf({ context }: ElicitationMachineState, before: readonly string[] = []): string[] {
  const { stages, votes, breakGlassBy } = context;
  const approvers = stages.flatMap(({ groups }) => groups.flatMap((group) => group.approvers));
  const voters = votes.flatMap((vote) => [vote.by, vote.for ?? vote.by]);
  const names = new Set([...before, ...approvers, ...voters, ...(breakGlassBy ? [breakGlassBy] : [])]);
  return names.has('anyone') ? ['anyone'] : [...names];
}

export const earliest = (timers: Timer[]): number | null =>
  timers.length === 0 ? null : Math.min(...timers.map(({ at }) => at));
