import { BulkVoteResult, type BulkVote, VoteResult } from '#requests/voting/contract/votes';
import {
  ElicitationDetail,
  type CastVote,
  type ExtendElicitation,
  type WithdrawElicitation,
} from '#requests/inbox/contract/inbox';
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
} from '#requests/deliberation/contract/deliberation';
import { AlwaysChoices, type AllowAlways, PolicyDetail } from '#policies/contract/documents';
import { MachineShape } from '#requests/machine/contract';
import { DeliveryList } from '#notify/contract/settings';
import { Comparison, SignalList } from '#requests/inbox/contract/signal';
import { z } from 'zod';
import { address, callApi } from '../../client/call-api.ts';

export const readElicitation = (id: string, signal?: AbortSignal) =>
  callApi(addressOf(id), { answer: ElicitationDetail, ...(signal && { signal }) });

export const readComparison = (id: string, signal: AbortSignal) =>
  callApi(`${addressOf(id)}/differences`, { answer: Comparison, signal });

export const readSignals = (ids: readonly string[]) =>
  callApi(`/api/signals?ids=${ids.map(encodeURIComponent).join(',')}`, { answer: SignalList });

export const readDeliveries = (id: string, signal: AbortSignal) =>
  callApi(`${addressOf(id)}/deliveries`, { answer: DeliveryList, signal });

/** The rules for calls like this one that could be made, each for so many days. */
export const readAlways = (id: string, days: number, signal: AbortSignal) =>
  callApi(`${addressOf(id)}/always?days=${days}`, { answer: AlwaysChoices, signal });

export const allowAlways = (id: string, body: AllowAlways) =>
  callApi(`${addressOf(id)}/always`, { method: 'POST', body, answer: PolicyDetail });

export const castVote = (id: string, body: CastVote) =>
  callApi(`${addressOf(id)}/vote`, { method: 'POST', body, answer: VoteResult });

export const castVotes = (body: BulkVote) =>
  callApi('/api/elicitations/votes', { method: 'POST', body, answer: BulkVoteResult });

export const withdraw = (id: string, body: WithdrawElicitation) => post(id, 'cancel', body);

/** Ends a request that no one can read any more. */
export const withdrawUnreadable = (id: string) =>
  callApi(`${addressOf(id)}/withdraw-unreadable`, { method: 'POST', answer: z.null() });

export const extend = (id: string, body: ExtendElicitation) => post(id, 'extend', body);

export const withdrawVote = (id: string) => post(id, 'withdraw-vote');

export const revokeApproval = (id: string, body: RevokeApproval) => post(id, 'revoke', body);

export const edit = (id: string, body: EditElicitation) => post(id, 'edit', body);

export const addApprover = (id: string, body: AddApprover) => post(id, 'approvers', body);

export const watch = (id: string, body: WatchElicitation) => post(id, 'watch', body);

export const lookAt = (id: string, body: LookAt) => post(id, 'look', body);

export const addComment = (id: string, body: AddComment) => post(id, 'comments', body);

export const askForInformation = (id: string, body: AskForInformation) => post(id, 'inquiry', body);

export const postpone = (id: string, body: PostponeElicitation) => post(id, 'postpone', body);

export const breakGlass = (id: string, body: BreakGlassElicitation) => post(id, 'break-glass', body);

export const reviewBreakGlass = (id: string, body: ReviewBreakGlass) => post(id, 'break-glass/review', body);

export const reviewLookBack = (id: string, body: ReviewLookBack) => post(id, 'look-back/review', body);

export const readLookBacks = (signal: AbortSignal) => callApi('/api/look-backs', { answer: LookBackList, signal });

export const readMachine = (signal: AbortSignal) => callApi('/api/machine', { answer: MachineShape, signal });

const post = (id: string, verb: string, body?: unknown): Promise<ElicitationDetail> =>
  callApi(`${addressOf(id)}/${verb}`, {
    method: 'POST',
    ...(body !== undefined && { body }),
    answer: ElicitationDetail,
  });

const addressOf = (id: string): string => address`/api/elicitations/${id}`;
