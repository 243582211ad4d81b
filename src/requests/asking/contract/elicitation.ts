/** The words of one elicitation, as the row, the machine and the wire use them. */
export const statuses = ['open', 'accepted', 'declined', 'cancelled', 'expired'] as const;
export type Status = (typeof statuses)[number];
export type Outcome = Exclude<Status, 'open'>;

/** A person's possible answers; the names are MCP's own (`ElicitResult.action`). */
export const actions = ['accept', 'decline', 'cancel'] as const;
export type Action = (typeof actions)[number];

/** An approver's vote. Dismissing the page is not a vote. */
export const voteActions = ['accept', 'decline'] as const;
export type VoteAction = (typeof voteActions)[number];

/**
 * Why a request was cancelled. `mismatch`: what happened at the provider is not what was asked. `unsettled`: no one could
 * find out in time whether it happened.
 */
export const cancelCauses = ['user', 'superseded', 'caller_gone', 'admin', 'mismatch', 'unsettled'] as const;
export type CancelCause = (typeof cancelCauses)[number];

/** Why a change is announced; `break-glass` comes in addition to `closed`. */
export const topics = ['opened', 'changed', 'closed', 'reminder', 'escalated', 'inquired', 'break-glass'] as const;
export type Topic = (typeof topics)[number];

export const audiences = ['requester', 'approvers'] as const;
export type Audience = (typeof audiences)[number];

export const modes = ['form', 'url'] as const;
export type Mode = (typeof modes)[number];

export const risks = ['low', 'medium', 'high'] as const;
export type Risk = (typeof risks)[number];

/** Ways of the requester's answer to the server: from the client, or passed on by the agent. */
export const relayChannels = ['relayed', 'told'] as const;
export type RelayChannel = (typeof relayChannels)[number];

/** Whether the caller still waits: lost callers may come back, so `gone` is not an outcome. */
export const callerStates = ['waiting', 'gone'] as const;
export type CallerState = (typeof callerStates)[number];

/** An outcome as MCP clients understand it: MCP has no word for expiry, so it is a cancel with a cause. */
export const outcomeAction = {
  accepted: 'accept',
  declined: 'decline',
  cancelled: 'cancel',
  expired: 'cancel',
} as const satisfies Record<Outcome, Action>;

/** Milliseconds. MCP servers usually give a person at the client five minutes. */
export const defaultRequesterTtl = 300_000;
/** Milliseconds. An approver may be asleep: one day. */
export const defaultApproverTtl = 86_400_000;
/** Milliseconds. Thirty days. */
export const maxTtlMs = 2_592_000_000;
export const minTtlMs = 1_000;

/** Open requests are counted no further. */
export const maxCounted = 1000;

export const isClosed = (status: Status): status is Outcome => status !== 'open';

/** Milliseconds an answer is kept for collection before the call must ask again. */
export const collectWithin = 3_600_000;

/** Why people erase content: the requester asked for it, it should never have been here, or a law demands it. */
export const erasureGrounds = ['asked', 'mistake', 'law'] as const;
export type ErasureGround = (typeof erasureGrounds)[number];

/** Content of one request, or of everything the same requester ever asked. */
export const contentScopes = ['request', 'requester'] as const;
export type ContentScope = (typeof contentScopes)[number];

/** Scopes of a legal hold. */
export const holdScopes = [...contentScopes, 'server', 'everything'] as const;
export type HoldScope = (typeof holdScopes)[number];
