import { z } from 'zod';
import { digest } from '#platform/http/contract/problem';
import {
  AskedTool,
  NamedPrincipal,
  ToolCallId,
  CallerPresence,
  CancelElicitation,
  ClaimToolCall,
  CompleteToolCall,
  ElicitationId,
  ElicitationState,
  OpenedElicitation,
  OpenElicitation,
  RelayedAnswer,
  ReleaseToolCall,
  ToolCallClaim,
  NamedRequester,
  storable,
} from './open.ts';
import { SignedOut } from '#access/oidc/contract/sign-in-provider';
import {
  BeginSignedVote,
  CastVote,
  SignedVoteRequest,
  ElicitationDetail,
  ExtendElicitation,
  Inbox,
  InboxEvent,
  SetPassword,
  SetUp,
  SignedIn,
  SignIn,
  WithdrawElicitation,
} from '../../inbox/contract/inbox.ts';
import { Comparison, SignalList, SignalQuery } from '../../inbox/contract/signal.ts';
import { InboxQuery } from '../../inbox/contract/history.ts';
import { VoteResult } from '../../voting/contract/votes.ts';
import { ToolCallState } from '../../claims/contract.ts';
import { signInSteps } from '#access/factors/contract/factor-rule';
import type { RouteContract } from '#platform/http/contract/route';

/** The request a state belongs to. With any other request it is invalid. */
export const StateBinding = z
  .strictObject({
    principal: NamedPrincipal,
    method: z.string().min(1).max(64),
    tool: AskedTool.shape.name,
    argumentsDigest: digest.meta({ description: 'SHA-256 of the canonical arguments, in hex.' }),
  })
  .meta({ id: 'StateBinding' });
export type StateBinding = z.input<typeof StateBinding>;

export const SealState = z.strictObject({ toolCall: ToolCallId, binding: StateBinding }).meta({ id: 'SealState' });
export type SealState = z.input<typeof SealState>;

export const SealedState = z
  .object({ state: z.string().meta({ description: 'Opaque. Valid once, while one of its questions is open.' }) })
  .meta({ id: 'SealedState' });
export type SealedState = z.infer<typeof SealedState>;

/** A client may send back anything. */
export const RedeemState = z.strictObject({ state: z.string(), binding: StateBinding }).meta({ id: 'RedeemState' });
export type RedeemState = z.input<typeof RedeemState>;

export const RedeemedState = z
  .object({
    toolCall: ToolCallId,
    session: z.string().meta({ description: 'The session the call was made in, or its principal without one.' }),
  })
  .meta({ id: 'RedeemedState' });
export type RedeemedState = z.infer<typeof RedeemedState>;

export const SealRound = z
  .strictObject({
    binding: StateBinding,
    content: z
      .string()
      .max(500_000)
      .meta({ description: 'What the server needs to go on. It is given back as it is.' }),
  })
  .meta({ id: 'SealRound' });
export type SealRound = z.input<typeof SealRound>;

export const SealedRound = z
  .object({ state: z.string().meta({ description: 'Opaque. Valid once, for a day.' }) })
  .meta({ id: 'SealedRound' });
export type SealedRound = z.infer<typeof SealedRound>;

export const RedeemedRound = z.object({ content: z.string() }).meta({ id: 'RedeemedRound' });
export type RedeemedRound = z.infer<typeof RedeemedRound>;

const elicitation = z.object({ id: ElicitationId });
const toolCall = z.object({ id: ToolCallId });
const Wait = z.strictObject({
  wait: z.coerce.number().min(0).max(25).default(0).meta({ description: 'Seconds to wait for the outcome.' }),
});

const StreamLimit = z.strictObject({
  wait: z.coerce.number().min(1).max(25).optional().meta({
    description:
      'Seconds after which the stream ends at the latest. It then ends after the first events, and at once without Last-Event-ID: for callers behind a proxy that passes on only whole answers.',
  }),
});

/** The API of requests themselves: for servers that ask, and people who answer. */
export const elicitationRoutes = {
  openElicitation: {
    method: 'post',
    path: '/v1/elicitations',
    auth: 'key',
    isProving: true,
    isNotifying: true,
    summary:
      'Open a request, or join the equal one: of the same call or, without a name, one that waits for approvers.',
    body: OpenElicitation,
    success: { 201: OpenedElicitation, 200: OpenedElicitation },
  },
  getElicitation: {
    method: 'get',
    path: '/v1/elicitations/{id}',
    auth: 'key',
    summary: 'The state of a request; with `wait`, waits for the outcome.',
    params: elicitation,
    query: Wait,
    success: { 200: ElicitationState },
  },
  answerElicitation: {
    method: 'post',
    path: '/v1/elicitations/{id}/answer',
    auth: 'key',
    summary: "Pass on the requester's own answer. It never counts as an approver's vote.",
    params: elicitation,
    body: RelayedAnswer,
    success: { 200: ElicitationState },
  },
  cancelElicitation: {
    method: 'post',
    path: '/v1/elicitations/{id}/cancel',
    auth: 'key',
    summary: 'Withdraw a request.',
    params: elicitation,
    body: CancelElicitation,
    success: { 200: ElicitationState },
  },
  markCaller: {
    method: 'post',
    path: '/v1/elicitations/{id}/caller',
    auth: 'key',
    summary: 'Report that the caller is gone, or is back. It decides nothing.',
    params: elicitation,
    body: CallerPresence,
    success: { 200: ElicitationState },
  },
  getToolCall: {
    method: 'get',
    path: '/v1/tool-calls/{id}',
    auth: 'key',
    summary: 'What another process needs to continue a call: its arguments, its requests and their answers.',
    params: toolCall,
    success: { 200: ToolCallState },
  },
  claimToolCall: {
    method: 'post',
    path: '/v1/tool-calls/{id}/claim',
    auth: 'key',
    isOfExecution: true,
    summary: 'Take the one execution an approval releases.',
    params: toolCall,
    body: ClaimToolCall,
    success: { 200: ToolCallClaim },
  },
  releaseToolCall: {
    method: 'post',
    path: '/v1/tool-calls/{id}/release',
    auth: 'key',
    isOfExecution: true,
    summary: 'Give back an execution that was claimed and not used. The attempt can claim nothing any more.',
    params: toolCall,
    body: ReleaseToolCall,
    success: { 204: null },
  },
  completeToolCall: {
    method: 'post',
    path: '/v1/tool-calls/{id}/complete',
    auth: 'key',
    isOfExecution: true,
    summary: 'Complete the call: the result reached the caller, or is kept for a retry.',
    params: toolCall,
    body: CompleteToolCall,
    success: { 204: null },
  },
  sealState: {
    method: 'post',
    path: '/v1/states',
    auth: 'key',
    summary: 'Seal which tool call a client continues when it calls again with its answers.',
    body: SealState,
    success: { 201: SealedState },
  },
  redeemState: {
    method: 'post',
    path: '/v1/states/redeem',
    auth: 'key',
    summary: 'Read a returned state, once, for the request it was made for.',
    body: RedeemState,
    success: { 200: RedeemedState },
  },
  sealRound: {
    method: 'post',
    path: '/v1/rounds',
    auth: 'key',
    summary: 'Seal what a server needs to go on with a call that runs, when its client calls again with more.',
    body: SealRound,
    success: { 201: SealedRound },
  },
  redeemRound: {
    method: 'post',
    path: '/v1/rounds/redeem',
    auth: 'key',
    summary: 'Read a returned round, once, for the request it was made for; not while its tool is stopped.',
    body: RedeemState,
    success: { 200: RedeemedRound },
  },
  streamOutcomes: {
    method: 'get',
    path: '/v1/stream',
    auth: 'key',
    isOfExecution: true,
    summary: 'Outcomes for this server, and what approvers ask requesters, as it happens. Last-Event-ID resumes.',
    query: StreamLimit,
    success: { 200: null },
    events: ElicitationState,
  },
  signIn: {
    method: 'post',
    path: '/api/session',
    auth: 'none',
    summary: 'Sign in with a password, or with a one-time link.',
    body: SignIn,
    success: { 200: SignedIn },
  },
  whoAmI: {
    method: 'get',
    path: '/api/session',
    auth: 'session',
    permission: null,
    isOpenAt: signInSteps,
    summary: 'Who is signed in.',
    success: { 200: SignedIn },
  },
  signOut: {
    method: 'delete',
    path: '/api/session',
    auth: 'session',
    permission: null,
    proof: 'none',
    isOpenAt: signInSteps,
    summary: 'Sign out. People with an identity provider go there next, to end their session there.',
    success: { 204: null, 200: SignedOut },
  },
  setUp: {
    method: 'post',
    path: '/api/setup',
    auth: 'none',
    summary: 'Make the first administrator with the link printed at first start.',
    body: SetUp,
    success: { 201: SignedIn },
  },
  setPassword: {
    method: 'post',
    path: '/api/password',
    auth: 'none',
    summary: 'Set a password of your own with the link an administrator made, and sign in.',
    body: SetPassword,
    success: { 200: SignedIn },
  },
  listInbox: {
    method: 'get',
    path: '/api/elicitations',
    auth: 'session',
    permission: null,
    summary: 'The inbox, a page at a time.',
    query: InboxQuery,
    success: { 200: Inbox },
  },
  showElicitation: {
    method: 'get',
    path: '/api/elicitations/{id}',
    auth: 'session',
    permission: null,
    summary: 'One request, complete.',
    params: elicitation,
    success: { 200: ElicitationDetail },
  },
  compareApproved: {
    method: 'get',
    path: '/api/elicitations/{id}/differences',
    auth: 'session',
    permission: null,
    summary: 'How it differs from the latest approved request of this tool, and from the others, that you may read.',
    params: elicitation,
    success: { 200: Comparison },
  },
  listSignals: {
    method: 'get',
    path: '/api/signals',
    auth: 'session',
    permission: null,
    summary: 'What sets each of these open requests apart most from approved calls of its tool that you may read.',
    query: SignalQuery,
    success: { 200: SignalList },
  },
  castVote: {
    method: 'post',
    path: '/api/elicitations/{id}/vote',
    auth: 'session',
    permission: 'decide',
    proof: 'with-act',
    isProving: true,
    summary: 'Vote on a request. The only way to an approval.',
    params: elicitation,
    body: CastVote,
    success: { 200: VoteResult },
  },
  beginSignedVote: {
    method: 'post',
    path: '/api/elicitations/{id}/vote/begin',
    auth: 'session',
    permission: 'decide',
    proof: 'with-act',
    summary: 'Begin a vote that a passkey signs: what it signs is this vote, once, within five minutes.',
    params: elicitation,
    body: BeginSignedVote,
    success: { 200: SignedVoteRequest },
  },
  withdrawElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/cancel',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'End a request without deciding it.',
    params: elicitation,
    body: WithdrawElicitation,
    success: { 200: ElicitationDetail },
  },
  withdrawUnreadable: {
    method: 'post',
    path: '/api/elicitations/{id}/withdraw-unreadable',
    auth: 'session',
    permission: 'tend-requests',
    proof: 'none',
    summary: 'End a request whose content cannot be read. For administrators.',
    params: elicitation,
    success: { 204: null },
  },
  extendElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/extend',
    auth: 'session',
    permission: 'decide',
    proof: 'none',
    summary: 'Move the deadline later. For those who may vote in the current stage, and administrators.',
    params: elicitation,
    body: ExtendElicitation,
    success: { 200: ElicitationDetail },
  },
  streamInbox: {
    method: 'get',
    path: '/api/stream',
    auth: 'session',
    permission: null,
    summary: 'Changes in the inbox, as they happen. Last-Event-ID resumes.',
    success: { 200: null },
    events: InboxEvent,
  },
} as const satisfies Record<string, RouteContract>;

/** The API for calls that policies allow whatever their arguments: a pass says so for a moment. */
export const maxPasses = 100;
/** The most calls that are reported for one pass at a time. */
export const maxReported = 1_000;

/** Characters of the arguments that are kept of one call. */
export const maxPassedArguments = 8_192;

const PassedCall = z
  .strictObject({
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'Give 32 hexadecimal digits.')
      .meta({
        description: 'Random. A call that is reported again is in the log once.',
      }),
    policy: storable(256).min(1).meta({ description: 'The policy of the pass.' }),
    run: digest.meta({ description: 'The run digest of what ran.' }),
    arguments: z
      .string()
      .max(maxPassedArguments)
      .optional()
      .meta({
        description: `Its arguments as JSON, cut after ${maxPassedArguments} characters: they are stored sealed.`,
      }),
    length: z.int().min(0).optional().meta({ description: 'Characters of the whole JSON of its arguments.' }),
  })
  .meta({ id: 'PassedCall' });

export const WantedPass = z
  .strictObject({
    tool: AskedTool,
    requester: NamedRequester,
    ran: z.array(PassedCall).max(maxReported).default([]).meta({
      description: 'What has run by this pass and was not reported yet.',
    }),
  })
  .meta({ id: 'WantedPass' });

export const RenewPasses = z.strictObject({ passes: z.array(WantedPass).max(maxPasses) }).meta({ id: 'RenewPasses' });
export type RenewPasses = z.input<typeof RenewPasses>;

export const Passes = z
  .object({
    lasts: z.int().min(0).meta({ description: 'Milliseconds for which the passes are good, from when you asked.' }),
    passes: z
      .array(
        z
          .object({ policy: z.string().meta({ description: 'Name and version of the policy that allows it.' }) })
          .nullable(),
      )
      .meta({ description: 'In the order in which they were asked for; null if each call must be asked about.' }),
    denied: z.array(z.boolean()).meta({
      description: 'In the same order: true if the policies deny the tool to this requester whatever the arguments.',
    }),
    covered: z.array(z.boolean()).optional().meta({
      description:
        'In the same order: true if a published policy decides, without believing a hint that no one has accepted.',
    }),
  })
  .meta({ id: 'Passes' });
export type Passes = z.infer<typeof Passes>;

export const passRoutes = {
  renewPasses: {
    method: 'post',
    path: '/v1/passes',
    auth: 'key',
    summary: 'Report what ran by passes, and ask for passes for the next moment.',
    body: RenewPasses,
    success: { 200: Passes },
  },
} as const satisfies Record<string, RouteContract>;

/** The API for what a step of a call makes once, such as a checkout session, and every later run of the call gets. */
const maxMemoLength = 65_536;

const key = storable(64).min(1).meta({ description: 'Names the step among those of its call.' });

const Memo = z.unknown().refine((value) => (JSON.stringify(value) ?? '').length <= maxMemoLength, {
  message: `Give at most ${maxMemoLength} characters of JSON.`,
});

export const BeginMemo = z
  .strictObject({
    key,
    toolCall: ToolCallId.optional().meta({ description: 'The call, if it is stored.' }),
    calls: z.array(storable(256).min(1)).min(1).max(2).optional().meta({
      description: 'Instead of `toolCall`: the names that its first request will or may have as `call`.',
    }),
    requester: NamedPrincipal.optional().meta({ description: 'With `calls`: the requester of that request.' }),
  })
  .refine(
    ({ toolCall, calls, requester }) => (toolCall === undefined) === (calls !== undefined && requester !== undefined),
    {
      message: 'Give either the tool call, or its names and its requester.',
      path: ['toolCall'],
    },
  )
  .meta({ id: 'BeginMemo' });
export type BeginMemo = z.input<typeof BeginMemo>;

export const BegunMemo = z
  .object({
    id: z.string().meta({
      description: 'Names the memo, and is the idempotency key of the step: the same until the memo is kept.',
    }),
    isKept: z.boolean().meta({ description: 'True if the call has a memo of this key: `value`.' }),
    value: z.unknown(),
  })
  .meta({ id: 'BegunMemo' });
export type BegunMemo = z.infer<typeof BegunMemo>;

export const KeepMemo = z.strictObject({ id: storable(64).min(1), key, value: Memo }).meta({ id: 'KeepMemo' });
export type KeepMemo = z.input<typeof KeepMemo>;

export const KeptMemo = z
  .object({ value: z.unknown().meta({ description: 'What is kept: that of the run that came first.' }) })
  .meta({ id: 'KeptMemo' });
export type KeptMemo = z.infer<typeof KeptMemo>;

export const memoRoutes = {
  beginMemo: {
    method: 'post',
    path: '/v1/memos',
    auth: 'key',
    summary: 'Find what a step of a call made, or reserve the idempotency key under which the step makes it.',
    body: BeginMemo,
    success: { 200: BegunMemo },
  },
  keepMemo: {
    method: 'post',
    path: '/v1/tool-calls/{id}/memos',
    auth: 'key',
    summary: 'Keep what a step of the call made, sealed, for its later runs. What was kept first stays.',
    params: z.object({ id: ToolCallId }),
    body: KeepMemo,
    success: { 200: KeptMemo },
  },
} as const satisfies Record<string, RouteContract>;

export const ServerIdentity = z
  .object({
    name: z.string().meta({ description: 'The name of the MCP server that the key belongs to.' }),
    version: z.string().meta({ description: 'The version of Assentry.' }),
  })
  .meta({ id: 'ServerIdentity' });
export type ServerIdentity = z.infer<typeof ServerIdentity>;

export const identityRoutes = {
  getIdentity: {
    method: 'get',
    path: '/v1/identity',
    auth: 'key',
    summary: 'The MCP server that the key belongs to: a way to check address and key.',
    success: { 200: ServerIdentity },
  },
} as const satisfies Record<string, RouteContract>;
