import type { Audience, CallerState, CancelCause, Mode, Risk, Status, Topic } from '../model/elicitation.ts';
import type { ElicitationId, ServerId, ToolCallId, UserId } from '../model/id.ts';
import type { ElicitationMachineState, Timer } from '../machine/step.ts';

/** One elicitation as stored. Bytes are sealed; nothing here can be read by a person. */
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
}

export type NewElicitation = Omit<ElicitationRow, 'serverName' | 'answer' | 'dataKey'> & {
  dataKey: Uint8Array;
  sessionHash: Uint8Array | null;
};

export interface NewToolCall {
  id: ToolCallId;
  keyHash: Uint8Array;
}

export interface NewVote {
  id: string;
  accountId: UserId;
  revision: number;
  stage: number;
  action: string;
  digest: string;
  comment: Uint8Array | null;
}

/** What the transaction says about itself in the log. */
export interface SealedEntry {
  id: string;
  at: number;
  type: string;
  body: Uint8Array;
  leafHash: Uint8Array;
}

/** The next state of a row, with everything that must be written in the same commit. */
export interface ElicitationChange {
  id: ElicitationId;
  /** The version this change was decided on. */
  version: number;
  serverId: ServerId;
  status: Status;
  cause: CancelCause | null;
  caller: CallerState;
  state: ElicitationMachineState;
  deadlineAt: number;
  closedAt: number | null;
  answer: Uint8Array | null;
  vote: NewVote | null;
  entry: SealedEntry;
  /** What must be told, most important first. */
  topics: Topic[];
}

export const earliest = (timers: Timer[]): number | null =>
  timers.length === 0 ? null : Math.min(...timers.map(({ at }) => at));
