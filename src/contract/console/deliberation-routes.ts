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
} from './deliberation.ts';
import { ElicitationId, ElicitationState } from '../servers/elicitation.ts';
import type { RouteContract } from '../http/route-contract.ts';

const params = z.object({ id: ElicitationId });
const success = { 200: ElicitationDetail };

/** What people do with one request beside voting. */
export const deliberationRoutes = {
  withdrawVote: {
    method: 'post',
    path: '/api/elicitations/{id}/withdraw-vote',
    auth: 'session',
    summary: 'Take back one’s last vote, while the request is open. A stage that only a refusal held up goes on.',
    params,
    success,
  },
  editElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/edit',
    auth: 'session',
    summary: 'Change arguments the policy lets approvers change. Every vote is void, and the policies judge anew.',
    params,
    body: EditElicitation,
    success,
  },
  addApprover: {
    method: 'post',
    path: '/api/elicitations/{id}/approvers',
    auth: 'session',
    summary: 'Ask one more person, after the current stage. Nobody who is required is taken away.',
    params,
    body: AddApprover,
    success,
  },
  watchElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/watch',
    auth: 'session',
    summary: 'Say that one is reviewing it. A hint; it keeps nobody from voting.',
    params,
    body: WatchElicitation,
    success,
  },
  lookAt: {
    method: 'post',
    path: '/api/elicitations/{id}/look',
    auth: 'session',
    summary:
      'Say why one looks at a request that one neither decides nor owns; it can be read for an hour. It is logged.',
    params,
    body: LookAt,
    success,
  },
  addComment: {
    method: 'post',
    path: '/api/elicitations/{id}/comments',
    auth: 'session',
    summary: 'Say something to the others who decide.',
    params,
    body: AddComment,
    success,
  },
  askForInformation: {
    method: 'post',
    path: '/api/elicitations/{id}/inquiry',
    auth: 'session',
    summary: 'Ask the requester for something before deciding.',
    params,
    body: AskForInformation,
    success,
  },
  giveInformation: {
    method: 'post',
    path: '/v1/elicitations/{id}/information',
    auth: 'key',
    summary: "The requester's reply to an approver's question, relayed. It decides nothing.",
    params,
    body: GiveInformation,
    success: { 200: ElicitationState },
  },
  postponeElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/postpone',
    auth: 'session',
    summary: 'Let what is approved start no earlier than this; before the deadline.',
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
    summary: 'Say whether the emergency override was right. Administrators and reviewers, and never who used it.',
    params,
    body: ReviewBreakGlass,
    success,
  },
  listBreakGlass: {
    method: 'get',
    path: '/api/break-glass',
    auth: 'session',
    summary: 'What was decided past its policy, with the reviews that are due.',
    success: { 200: BreakGlassList },
  },
  confirmPassword: {
    method: 'post',
    path: '/api/session/confirm',
    auth: 'session',
    summary: 'Prove one’s password again, for what needs a fresh one.',
    body: ConfirmPassword,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
