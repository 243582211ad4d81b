import { z } from 'zod';
import { ElicitationDetail } from './console.ts';
import {
  AddApprover,
  AddComment,
  AskForInformation,
  WatchElicitation,
  ConfirmPassword,
  EditElicitation,
  GiveInformation,
  LookAt,
  BreakGlassElicitation,
  BreakGlassList,
  PostponeElicitation,
  ReviewBreakGlass,
  RevokeApproval,
} from './deliberation.ts';
import { ElicitationId, ElicitationState } from '../servers/elicitation.ts';
import type { RouteContract } from '../http/route-contract.ts';

const params = z.object({ id: ElicitationId });
const success = { 200: ElicitationDetail };

/** What people do with one request apart from voting. */
export const deliberationRoutes = {
  withdrawVote: {
    method: 'post',
    path: '/api/elicitations/{id}/withdraw-vote',
    auth: 'session',
    summary: 'Withdraw your last vote while the request is open. If only that refusal held up the stage, it continues.',
    params,
    success,
  },
  revokeApproval: {
    method: 'post',
    path: '/api/elicitations/{id}/revoke',
    auth: 'session',
    summary: 'Revoke an approval before the call begins to run. For those who approved it, and administrators.',
    params,
    body: RevokeApproval,
    success,
  },
  editElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/edit',
    auth: 'session',
    summary:
      'Edit arguments that the policy lets approvers change. Every vote becomes void, and the policies judge again.',
    params,
    body: EditElicitation,
    success,
  },
  addApprover: {
    method: 'post',
    path: '/api/elicitations/{id}/approvers',
    auth: 'session',
    summary: 'Add an approver after the current stage. Everyone else stays required.',
    params,
    body: AddApprover,
    success,
  },
  watchElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/watch',
    auth: 'session',
    summary: 'Mark the request as being reviewed by you. Only a hint: others can still vote.',
    params,
    body: WatchElicitation,
    success,
  },
  lookAt: {
    method: 'post',
    path: '/api/elicitations/{id}/look',
    auth: 'session',
    summary:
      'Give a reason to read a request that you neither decide nor own. You can read it for an hour; the log records it.',
    params,
    body: LookAt,
    success,
  },
  addComment: {
    method: 'post',
    path: '/api/elicitations/{id}/comments',
    auth: 'session',
    summary: 'Comment for the others who decide.',
    params,
    body: AddComment,
    success,
  },
  askForInformation: {
    method: 'post',
    path: '/api/elicitations/{id}/inquiry',
    auth: 'session',
    summary: 'Ask the requester something before deciding.',
    params,
    body: AskForInformation,
    success,
  },
  giveInformation: {
    method: 'post',
    path: '/v1/elicitations/{id}/information',
    auth: 'key',
    summary: "Pass on the requester's reply to an approver's question. It decides nothing.",
    params,
    body: GiveInformation,
    success: { 200: ElicitationState },
  },
  postponeElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/postpone',
    auth: 'session',
    summary: 'Set the earliest start of the call, before the deadline.',
    params,
    body: PostponeElicitation,
    success,
  },
  breakGlassElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/break-glass',
    auth: 'session',
    summary:
      'Emergency override: accept at once, past the policy. Needs its own permission, a fresh password and a review.',
    params,
    body: BreakGlassElicitation,
    success,
  },
  reviewBreakGlass: {
    method: 'post',
    path: '/api/elicitations/{id}/break-glass/review',
    auth: 'session',
    summary: 'Review an emergency override. For administrators and reviewers, but not the person who used it.',
    params,
    body: ReviewBreakGlass,
    success,
  },
  listBreakGlass: {
    method: 'get',
    path: '/api/break-glass',
    auth: 'session',
    summary: 'Emergency overrides, with the reviews that are due.',
    success: { 200: BreakGlassList },
  },
  confirmPassword: {
    method: 'post',
    path: '/api/session/confirm',
    auth: 'session',
    summary: 'Enter your password again, for actions that need a fresh one.',
    body: ConfirmPassword,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
