import { BulkVoteResult, type BulkVote } from '#protocol/contract/console/bulk-vote';
import {
  ElicitationDetail,
  type CastVote,
  type ExtendElicitation,
  type WithdrawElicitation,
} from '#protocol/contract/console/console';
import {
  type AddApprover,
  type AddComment,
  type AskForInformation,
  type WatchElicitation,
  type EditElicitation,
  type BreakGlassElicitation,
  type LookAt,
  type PostponeElicitation,
  type ReviewBreakGlass,
  LookBackList,
  type ReviewLookBack,
  type RevokeApproval,
} from '#protocol/contract/console/deliberation';
import { AlwaysChoices, type AllowAlways } from '#protocol/contract/policies/always';
import { PolicyDetail } from '#protocol/contract/policies/policy';
import { MachineShape } from '#protocol/contract/console/machine';
import { DeliveryList } from '#protocol/contract/console/notification';
import { Comparison, SignalList } from '#protocol/contract/console/signal';
import { VoteResult } from '#protocol/contract/console/vote-result';
import { z } from 'zod';
import { callApi } from './call-api.ts';

export const readElicitation = (id: string, signal?: AbortSignal): Promise<ElicitationDetail> =>
  callApi(addressOf(id), { answer: ElicitationDetail, ...(signal && { signal }) });

export const readComparison = (id: string, signal: AbortSignal): Promise<Comparison> =>
  callApi(`${addressOf(id)}/differences`, { answer: Comparison, signal });

export const readSignals = (ids: readonly string[]): Promise<SignalList> =>
  callApi(`/api/signals?ids=${ids.map(encodeURIComponent).join(',')}`, { answer: SignalList });

export const readDeliveries = (id: string, signal: AbortSignal): Promise<DeliveryList> =>
  callApi(`${addressOf(id)}/deliveries`, { answer: DeliveryList, signal });

/** The rules for calls like this one that could be made, each for so many days. */
export const readAlways = (id: string, days: number, signal: AbortSignal): Promise<AlwaysChoices> =>
  callApi(`${addressOf(id)}/always?days=${days}`, { answer: AlwaysChoices, signal });

export const allowAlways = (id: string, body: AllowAlways): Promise<PolicyDetail> =>
  callApi(`${addressOf(id)}/always`, { method: 'POST', body, answer: PolicyDetail });

export const castVote = (id: string, body: CastVote): Promise<VoteResult> =>
  callApi(`${addressOf(id)}/vote`, { method: 'POST', body, answer: VoteResult });

export const castVotes = (body: BulkVote): Promise<BulkVoteResult> =>
  callApi('/api/elicitations/votes', { method: 'POST', body, answer: BulkVoteResult });

export const withdraw = (id: string, body: WithdrawElicitation): Promise<ElicitationDetail> => post(id, 'cancel', body);

/** Ends a request that no one can read any more. */
export const withdrawUnreadable = (id: string): Promise<null> =>
  callApi(`${addressOf(id)}/withdraw-unreadable`, { method: 'POST', answer: z.null() });

export const extend = (id: string, body: ExtendElicitation): Promise<ElicitationDetail> => post(id, 'extend', body);

export const withdrawVote = (id: string): Promise<ElicitationDetail> => post(id, 'withdraw-vote');

export const revokeApproval = (id: string, body: RevokeApproval): Promise<ElicitationDetail> =>
  post(id, 'revoke', body);

export const edit = (id: string, body: EditElicitation): Promise<ElicitationDetail> => post(id, 'edit', body);

export const addApprover = (id: string, body: AddApprover): Promise<ElicitationDetail> => post(id, 'approvers', body);

export const watch = (id: string, body: WatchElicitation): Promise<ElicitationDetail> => post(id, 'watch', body);

export const lookAt = (id: string, body: LookAt): Promise<ElicitationDetail> => post(id, 'look', body);

export const addComment = (id: string, body: AddComment): Promise<ElicitationDetail> => post(id, 'comments', body);

export const askForInformation = (id: string, body: AskForInformation): Promise<ElicitationDetail> =>
  post(id, 'inquiry', body);

export const postpone = (id: string, body: PostponeElicitation): Promise<ElicitationDetail> =>
  post(id, 'postpone', body);

export const breakGlass = (id: string, body: BreakGlassElicitation): Promise<ElicitationDetail> =>
  post(id, 'break-glass', body);

export const reviewBreakGlass = (id: string, body: ReviewBreakGlass): Promise<ElicitationDetail> =>
  post(id, 'break-glass/review', body);

export const reviewLookBack = (id: string, body: ReviewLookBack): Promise<ElicitationDetail> =>
  post(id, 'look-back/review', body);

export const readLookBacks = (signal: AbortSignal): Promise<LookBackList> =>
  callApi('/api/look-backs', { answer: LookBackList, signal });

export const readMachine = (signal: AbortSignal): Promise<MachineShape> =>
  callApi('/api/machine', { answer: MachineShape, signal });

const post = (id: string, verb: string, body?: unknown): Promise<ElicitationDetail> =>
  callApi(`${addressOf(id)}/${verb}`, {
    method: 'POST',
    ...(body !== undefined && { body }),
    answer: ElicitationDetail,
  });

const addressOf = (id: string): string => `/api/elicitations/${encodeURIComponent(id)}`;
