/** The words of one elicitation, as the row, the machine and the wire use them. */
export const statuses = ['open', 'accepted', 'declined', 'cancelled', 'expired'] as const;
export type Status = (typeof statuses)[number];
export type Outcome = Exclude<Status, 'open'>;

/** What a person can say; the names are MCP's own (`ElicitResult.action`). */
export const actions = ['accept', 'decline', 'cancel'] as const;
export type Action = (typeof actions)[number];

/** An approver's say. Dismissing the page is no vote. */
export const voteActions = ['accept', 'decline'] as const;
export type VoteAction = (typeof voteActions)[number];

export const cancelCauses = ['user', 'superseded', 'caller_gone', 'admin'] as const;
export type CancelCause = (typeof cancelCauses)[number];

/** What is told of a change; `break-glass` comes in addition to `closed`. */
export const topics = ['opened', 'changed', 'closed', 'reminder', 'escalated', 'inquired', 'break-glass'] as const;
export type Topic = (typeof topics)[number];

export const audiences = ['requester', 'approvers'] as const;
export type Audience = (typeof audiences)[number];

export const modes = ['form', 'url'] as const;
export type Mode = (typeof modes)[number];

export const risks = ['low', 'medium', 'high'] as const;
export type Risk = (typeof risks)[number];

/** How the requester's words come through the server that asked: from the client, or as the agent told them. */
export const relayChannels = ['relayed', 'told'] as const;
export type RelayChannel = (typeof relayChannels)[number];

/** Whether the caller still waits: lost callers may come back, so `gone` is not an outcome. */
export const callerStates = ['waiting', 'gone'] as const;
export type CallerState = (typeof callerStates)[number];

/** What MCP clients understand of an outcome: expiry has no word on the wire, so it is a cancel with a cause. */
export const outcomeAction = {
  accepted: 'accept',
  declined: 'decline',
  cancelled: 'cancel',
  expired: 'cancel',
} as const satisfies Record<Outcome, Action>;

/** Milliseconds. Five minutes is what MCP servers expect of a person at the client. */
export const defaultRequesterTtl = 300_000;
/** Milliseconds. An approver may be asleep: one day. */
export const defaultApproverTtl = 86_400_000;
/** Milliseconds. Thirty days. */
export const longestTtl = 2_592_000_000;
export const shortestTtl = 1_000;

export const isClosed = (status: Status): status is Outcome => status !== 'open';
