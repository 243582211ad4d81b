import { Prisma } from '#platform/database/generated/prisma/client';
import type { CredentialId, ToolCallId, UserId, ElicitationId, ServerId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { epochColumns, type Epoch } from '#platform/database/epochs';
import { latestEntry, proofColumns, proofFrom, type StoredProof, type Ledger } from '#audit/entries/store/entries';
import type { RowDigests } from '#audit/entries/rules/evidence';
import {
  breakGlassTable,
  lookBackTable,
  lookTable,
  revisionTable,
  type remarkTable,
  type voteTable,
} from '../../deliberation/store/tables.ts';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ProviderEvent } from '#connect/outcomes/store';
import type { NewConnection } from '#connect/credentials/store';
import {
  upgrade,
  type ElicitationMachineState,
  type Timer,
  fullState,
  storedState,
  type StoredState,
} from '../../machine/rules/step.ts';
import type {
  Topic,
  Audience,
  CallerState,
  CancelCause,
  Mode,
  Risk,
  Status,
} from '../../asking/contract/elicitation.ts';
import {
  type RowOf,
  bytes,
  defineTable,
  inSeveral,
  integer,
  later,
  text,
  texts,
  time,
  uncovered,
  unread,
} from '#platform/database/sql';
import type { grantTable } from '../../grants/store/tables.ts';

/** A row with its latest log entry. */
type StoredWithProof = SelectedElicitation & StoredProof;

export const inOrder = Prisma.sql`ORDER BY e.opened_at, e.id`;

/** The only way to read rows on which code decides or delivers. */
export function createProvenRows({ query, evidence }: Ledger) {
  const select = <T extends StoredWithProof>(where: Prisma.Sql, order = Prisma.empty, more = Prisma.empty) =>
    query<T>(Prisma.sql`
      SELECT ${selection}, ${proofColumns} ${more} FROM elicitation e JOIN server s ON s.id = e.server_id
        ${latestEntry(Prisma.sql`a.elicitation_id = e.id AND a.type LIKE 'elicitation.%'`)} WHERE ${where} ${order}`);
  const openIfSound = (stored: StoredWithProof): ElicitationRow | null => {
    const columns = elicitationTable.read(stored);
    const isSound = evidence.proves(proofFrom(stored), columns.id, elicitationTable.digest(columns));
    return isSound ? rowFrom(columns, stored.serverName) : null;
  };
  const open = (stored: StoredWithProof): ElicitationRow => {
    const row = openIfSound(stored);
    if (!row) throw new Problem('unproven');
    return row;
  };
  return {
    select: (where: Prisma.Sql, order?: Prisma.Sql): Promise<StoredWithProof[]> => select(where, order),
    /** With the epochs at the moment of the statement. */
    selectNow: (where: Prisma.Sql): Promise<(StoredWithProof & Epoch)[]> =>
      select<StoredWithProof & Epoch>(where, Prisma.empty, Prisma.sql`, ${epochColumns}`),
    /** Problem `unproven` if the row does not match the log. */
    open,
    /** The rows that match the log. */
    openSound: (all: StoredWithProof[]): ElicitationRow[] => all.flatMap((stored) => openIfSound(stored) ?? []),
    /** All questions of a call, or problem `unproven`: a missing one may be the one that was declined. */
    async ofCall(id: ToolCallId): Promise<ElicitationRow[]> {
      const where = Prisma.sql`e.tool_call_id = ${id}`;
      const rows = await select<StoredWithProof & { questions: number }>(where, inOrder, questionsInCall);
      if (rows.some(({ questions }) => questions !== rows.length)) {
        evidence.report(id);
        throw new Problem('unproven');
      }
      return rows.map(open);
    },
  };
}

export type ProvenRows = ReturnType<typeof createProvenRows>;

/** Number of questions in the call, from the log. */
const questionsInCall = Prisma.sql`, (
  SELECT count(*)::int FROM audit_entry o WHERE o.subject_id = e.tool_call_id AND o.type = 'elicitation.opened') AS questions`;

// Digests of rows without an id of their own, in the log under their natural key.

type Digested<T extends { digest(row: never): string }> = Parameters<T['digest']>[0];

export const revisionDigest = (row: Digested<typeof revisionTable>): RowDigests => ({
  [`${row.elicitationId}#${row.revision}`]: revisionTable.digest(row),
});

export const breakGlassDigest = (row: Digested<typeof breakGlassTable>): RowDigests => ({
  [`${row.elicitationId}#break-glass`]: breakGlassTable.digest(row),
});

export const lookBackDigest = (row: Digested<typeof lookBackTable>): RowDigests => ({
  [`${row.elicitationId}#look-back`]: lookBackTable.digest(row),
});

export const lookDigest = (row: Digested<typeof lookTable>): RowDigests => ({
  [`${row.elicitationId}#look-${row.userId}-${Number(row.at)}`]: lookTable.digest(row),
});

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
  /** Paced approvals of this person when it was decided. */
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

/** Columns that each change decides. */
type Decided = Exclude<(typeof changedColumns)[number], 'readers' | 'wakeAt'>;

/** A connection to a provider, stored with the accept of the request that expects it. */
export interface ConnectedAccount {
  row: NewConnection;
  /** Hashes of the same person under other keys, whose connection to the same provider it replaces. */
  otherHashes: Uint8Array[];
  /** The connection that it replaces, if the provider is to withdraw its tokens. */
  former?: CredentialId | undefined;
  entry: AuditEntry;
}

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
  connection?: ConnectedAccount;
  providerEvent?: ProviderEvent;
  entry: AuditEntry;
  /** Topics to announce, most important first. */
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
const rowFrom = (columns: Omit<Columns, 'wakeAt'>, serverName: string): ElicitationRow => ({
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

/** Sealed bytes, so that no person can read them. */
const sealed = bytes;

/** The columns of a request, in the order of its digest: never change it, and put a new column last, as `later`. */
export const elicitationTable = defineTable('elicitation', {
  id: text<ElicitationId>(),
  toolCallId: text<ToolCallId>(),
  step: text(),
  serverId: text<ServerId>(),
  tool: text(),
  audience: text<Audience>(),
  mode: text<Mode>(),
  risk: text<Risk>(),
  status: text<Status>(),
  cause: text<CancelCause | null>(),
  caller: text<CallerState>(),
  revision: integer(),
  /** Compare-and-set: every change adds one. */
  version: integer(),
  state: inSeveral(
    { machine_version: 'int', snapshot: 'jsonb', timers: 'jsonb' },
    ({ version, timers, ...snapshot }: StoredState) => ({ machine_version: version, snapshot, timers }),
    ({ machine_version: version, snapshot, timers }): StoredState => ({ version, timers, ...snapshot }),
  ),
  wakeAt: unread(uncovered('it decides nothing: what a timer does follows from the state', time<number | null>())),
  openedAt: time(),
  deadlineAt: time(),
  closedAt: time<number | null>(),
  /** Keyed hash of what was asked, so that a repeated request is told from a different one. */
  requestHash: bytes(),
  sessionHash: bytes<Uint8Array | null>(),
  requesterHash: bytes<Uint8Array | null>(),
  /** People named so far: `readersOf`. */
  readers: texts(),
  /** By this an opening finds the request that asks approvers the same; null if none may join. */
  equalHash: bytes<Uint8Array | null>(),
  /** The call if it has a name. Otherwise empty, and only one of these is open at a time. */
  wish: text(),
  digest: text(),
  policy: text(),
  owner: uncovered('it is sealed for its place, and sealed again when secrets change', sealed()),
  dataKey: uncovered('it is sealed for its place, and erased with the content', sealed<Uint8Array | null>()),
  payload: sealed(),
  answer: sealed<Uint8Array | null>(),
  /** The policies' verdict with its reasons; null if only the built-in policy applied. */
  explanation: sealed<Uint8Array | null>(),
  /** The trace of the call that asked, as its caller says. */
  traceparent: later(text<string | null>()),
  /** The names of the policies that decided next to its own; null in rows from before. */
  alsoBy: uncovered('requests are found by it, and the entry says if it is so', texts<string[] | null>()),
});

/** Columns that each change writes, next to the version. */
export const changedColumns = [
  'status',
  'cause',
  'caller',
  'state',
  'wakeAt',
  'deadlineAt',
  'closedAt',
  'readers',
  'answer',
] as const;

/** Further columns that an edit of the question writes. */
export const revisedColumns = ['revision', 'digest', 'policy', 'risk', 'payload', 'explanation', 'alsoBy'] as const;

/** Columns of every reading statement, from `elicitation e JOIN server s`. */
export const selection = Prisma.sql`${elicitationTable.selection('e')}, s.name AS "serverName"`;

/** A row of such a statement. Only the transactor writes it, so the types of its columns are assumed. */
export interface SelectedElicitation {
  id: ElicitationRow['id'];
  serverName: string;
}

export const openSelected = (selected: SelectedElicitation): ElicitationRow =>
  rowFrom(elicitationTable.read(selected), selected.serverName);
