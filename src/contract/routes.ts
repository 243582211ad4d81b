import { z } from 'zod';
import {
  CastVote,
  ElicitationDetail,
  ExtendElicitation,
  Inbox,
  InboxEvent,
  SetPassword,
  SetUp,
  SignedIn,
  SignIn,
  WithdrawElicitation,
} from './console/console.ts';
import { InboxQuery } from './console/inbox-query.ts';
import { VoteResult } from './console/vote-result.ts';
import {
  CallerPresence,
  CancelElicitation,
  ClaimToolCall,
  CompleteToolCall,
  ElicitationId,
  ElicitationState,
  OpenedElicitation,
  OpenElicitation,
  RelayedAnswer,
  ToolCallClaim,
  ToolCallId,
} from './servers/elicitation.ts';
import { ToolCallState } from './servers/tool-call.ts';
import { RedeemedState, RedeemState, SealedState, SealState } from './servers/request-state.ts';
import { auditRoutes } from './console/audit.ts';
import { chatRoutes } from './console/chat.ts';
import { bulkRoutes } from './console/bulk-vote.ts';
import { delegationRoutes } from './console/delegation.ts';
import { grantRoutes } from './console/grant.ts';
import { notificationRoutes } from './console/notification.ts';
import { testRequestRoutes } from './console/test-request.ts';
import { stopRoutes } from './console/stop.ts';
import { keepingRoutes } from './console/keeping.ts';
import { machineRoutes } from './console/machine.ts';
import { keyRoutes } from './users/key.ts';
import { usersRoutes } from './users/users.ts';
import { policyRoutes } from './policies/policy-routes.ts';
import { deliberationRoutes } from './console/deliberation-routes.ts';
import { logRoutes } from './log-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import type { RouteContract } from './http/route-contract.ts';
import { passRoutes } from './servers/pass.ts';
import { identityRoutes } from './servers/identity.ts';
import { tokenRoutes } from './servers/token.ts';

export type { RouteAuth, RouteContract } from './http/route-contract.ts';

const elicitation = z.object({ id: ElicitationId });
const toolCall = z.object({ id: ToolCallId });
const Wait = z.strictObject({
  wait: z.coerce.number().min(0).max(25).default(0).meta({ description: 'Seconds to wait for the outcome.' }),
});

/** All routes: the API serves from this table, and the OpenAPI document is made from it. */
export const routes = {
  openElicitation: {
    method: 'post',
    path: '/v1/elicitations',
    auth: 'key',
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
    summary: 'Take the one execution an approval releases.',
    params: toolCall,
    body: ClaimToolCall,
    success: { 200: ToolCallClaim },
  },
  completeToolCall: {
    method: 'post',
    path: '/v1/tool-calls/{id}/complete',
    auth: 'key',
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
  streamOutcomes: {
    method: 'get',
    path: '/v1/stream',
    auth: 'key',
    summary: 'Outcomes for this server, and what approvers ask requesters, as it happens. Last-Event-ID resumes.',
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
    summary: 'Who is signed in.',
    success: { 200: SignedIn },
  },
  signOut: {
    method: 'delete',
    path: '/api/session',
    auth: 'session',
    summary: 'Sign out.',
    success: { 204: null },
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
    summary: 'The inbox, a page at a time.',
    query: InboxQuery,
    success: { 200: Inbox },
  },
  showElicitation: {
    method: 'get',
    path: '/api/elicitations/{id}',
    auth: 'session',
    summary: 'One request, complete.',
    params: elicitation,
    success: { 200: ElicitationDetail },
  },
  castVote: {
    method: 'post',
    path: '/api/elicitations/{id}/vote',
    auth: 'session',
    summary: 'Vote on a request. The only way to an approval.',
    params: elicitation,
    body: CastVote,
    success: { 200: VoteResult },
  },
  withdrawElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/cancel',
    auth: 'session',
    summary: 'End a request without deciding it.',
    params: elicitation,
    body: WithdrawElicitation,
    success: { 200: ElicitationDetail },
  },
  withdrawUnreadable: {
    method: 'post',
    path: '/api/elicitations/{id}/withdraw-unreadable',
    auth: 'session',
    summary: 'End a request whose content cannot be read. For administrators.',
    params: elicitation,
    success: { 204: null },
  },
  extendElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/extend',
    auth: 'session',
    summary: 'Move the deadline later. For those who may vote in the current stage, and administrators.',
    params: elicitation,
    body: ExtendElicitation,
    success: { 200: ElicitationDetail },
  },
  streamInbox: {
    method: 'get',
    path: '/api/stream',
    auth: 'session',
    summary: 'Changes in the inbox, as they happen. Last-Event-ID resumes.',
    success: { 200: null },
    events: InboxEvent,
  },
  ...bulkRoutes,
  ...usersRoutes,
  ...keyRoutes,
  ...delegationRoutes,
  ...grantRoutes,
  ...stopRoutes,
  ...testRequestRoutes,
  ...keepingRoutes,
  ...notificationRoutes,
  ...policyRoutes,
  ...deliberationRoutes,
  ...passRoutes,
  ...tokenRoutes,
  ...identityRoutes,
  ...logRoutes,
  ...auditRoutes,
  ...machineRoutes,
  ...chatRoutes,
  ...operatorRoutes,
} as const satisfies Record<string, RouteContract>;

export type RouteId = keyof typeof routes;
