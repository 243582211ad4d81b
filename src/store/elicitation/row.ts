import type { Audience, CallerState, CancelCause, Mode, Risk, Status, Topic } from '../../model/elicitation.ts';
import type { ElicitationId, GrantId, RemarkId, ServerId, ToolCallId, UserId } from '../../model/id.ts';
import type { AuditEntry } from '../../audit/entry.ts';
import type { Epoch } from '../database/epochs.ts';
import type { ElicitationMachineState, Timer } from '../../machine/step.ts';

/** One elicitation as stored. Its bytes are sealed, so no person can read them. */
export interface ElicitationRow {
  id: ElicitationId;
  toolCallId: ToolCallId;
  step: string;
  serverId: ServerId;
  serverName: string;
  tool: string;
  audience: Audience;
  mode: Mode;
  risk: Risk;
  status: Status;
  cause: CancelCause | null;
  caller: CallerState;
  revision: number;
  /** Compare-and-set: every change adds one. */
  version: number;
  state: ElicitationMachineState;
  openedAt: number;
  deadlineAt: number;
  closedAt: number | null;
  requestHash: Uint8Array;
  digest: string;
  policy: string;
  owner: Uint8Array;
  dataKey: Uint8Array | null;
  payload: Uint8Array;
  answer: Uint8Array | null;
  /** What the policies decided, and why; null if only the built-in policy applied. */
  explanation: Uint8Array | null;
  sessionHash: Uint8Array | null;
  requesterHash: Uint8Array | null;
  /** Whom it has named so far: `readersOf`. */
  readers: string[];
  /** By this an opening finds the request that asks approvers the same; null if none may join. */
  equalHash: Uint8Array | null;
  /** The call if it has a name. Otherwise empty, and only one of these is open at a time. */
  wish: string;
  /** The trace of the call that asked, as its caller says. */
  traceparent: string | null;
}

export type NewElicitation = Omit<ElicitationRow, 'serverName' | 'dataKey' | 'readers'> & { dataKey: Uint8Array };

export interface NewToolCall {
  id: ToolCallId;
  keyHash: Uint8Array;
}

export interface NewVote {
  id: string;
  userId: UserId;
  /** The person they vote for. */
  forId: UserId | null;
  revision: number;
  stage: number;
  action: string;
  digest: string;
  comment: Uint8Array | null;
  /** What the voter's passkey signed, as canonical JSON; null for a vote that no device signed. */
  signature: string | null;
}

/** The edited question, which replaces the one it was decided on. */
export interface RevisedQuestion {
  revision: number;
  digest: string;
  policy: string;
  risk: Risk;
  payload: Uint8Array;
  explanation: Uint8Array | null;
  /** Does its policy announce it in chat? */
  isTold: boolean;
}

/** The question that an edit replaced. */
export interface ReplacedQuestion {
  revision: number;
  digest: string;
  policy: string;
  payload: Uint8Array;
  userId: UserId;
}

export const remarkKinds = ['comment', 'question', 'reply'] as const;
export type RemarkKind = (typeof remarkKinds)[number];

export interface NewRemark {
  id: RemarkId;
  kind: RemarkKind;
  /** Null for the requester's reply. */
  userId: UserId | null;
  /** The question a reply answers. */
  replyTo: RemarkId | null;
  body: Uint8Array;
}

/** The next of one person's paced approvals. */
export interface ApproverTurn {
  user: UserId;
  /** How many there were when it was decided. */
  after: number;
}

export interface NewBreakGlass {
  userId: UserId;
  reason: Uint8Array;
  reviewDueAt: number;
}

/** A standing approval, made with the vote that completes the approval. */
export interface NewGrant {
  id: GrantId;
  serverId: ServerId;
  tool: string;
  toolSchema: string | null;
  requesterHash: Uint8Array;
  terms: Uint8Array;
  userId: UserId;
  policy: string;
  expiresAt: number;
  reviewAt: number | null;
  usesLeft: number | null;
  /** In plain digits. */
  budgetLeft: string | null;
}

/** The next state of a row, with everything that must be written in the same commit. */
export interface ElicitationChange {
  /** The row this change was decided on. */
  row: ElicitationRow;
  status: Status;
  cause: CancelCause | null;
  caller: CallerState;
  state: ElicitationMachineState;
  deadlineAt: number;
  closedAt: number | null;
  answer: Uint8Array | null;
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
export const nextRow = ({ row, revised, ...change }: ElicitationChange): ElicitationRow => {
  const { status, cause, caller, state, deadlineAt, closedAt, answer } = change;
  const readers = readersOf(state, row.readers);
  const next = {
    ...row,
    version: row.version + 1,
    status,
    cause,
    caller,
    state,
    deadlineAt,
    closedAt,
    answer,
    readers,
  };
  if (!revised) return next;
  const { revision, digest, policy, risk, payload, explanation } = revised;
  return { ...next, revision, digest, policy, risk, payload, explanation };
};

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
