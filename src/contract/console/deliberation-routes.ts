import { z } from 'zod';
import { ElicitationDetail } from './console.ts';
import {
  AddApprover,
  AddComment,
  AskForInformation,
  ClaimElicitation,
  ConfirmPassword,
  EditElicitation,
  GiveInformation,
  OverruleElicitation,
  OverruleList,
  PostponeElicitation,
  ReviewOverrule,
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
  claimElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/claim',
    auth: 'session',
    summary: 'Say that one looks at it. A hint; it keeps nobody from voting.',
    params,
    body: ClaimElicitation,
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
  overruleElicitation: {
    method: 'post',
    path: '/api/elicitations/{id}/overrule',
    auth: 'session',
    summary: 'Break-glass: accept at once, past the policy. Needs its own permission, a fresh password and a review.',
    params,
    body: OverruleElicitation,
    success,
  },
  reviewOverrule: {
    method: 'post',
    path: '/api/elicitations/{id}/overrule/review',
    auth: 'session',
    summary: 'Say whether breaking the glass was right. Administrators and reviewers, and never who broke it.',
    params,
    body: ReviewOverrule,
    success,
  },
  listOverrules: {
    method: 'get',
    path: '/api/overrules',
    auth: 'session',
    summary: 'What was decided past its policy, with the reviews that are due.',
    success: { 200: OverruleList },
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
