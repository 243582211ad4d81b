import {
  ElicitationDetail,
  Inbox,
  type CastVote,
  type ExtendElicitation,
  type WithdrawElicitation,
} from '../../../src/contract/console.ts';
import { callApi } from './call-api.ts';

export const readInbox = (search: URLSearchParams, signal: AbortSignal): Promise<Inbox> =>
  callApi(`/api/elicitations?${search}`, { answer: Inbox, signal });

export const readElicitation = (id: string, signal: AbortSignal): Promise<ElicitationDetail> =>
  callApi(addressOf(id), { answer: ElicitationDetail, signal });

export const castVote = (id: string, body: CastVote): Promise<ElicitationDetail> => post(id, 'vote', body);

export const withdraw = (id: string, body: WithdrawElicitation): Promise<ElicitationDetail> => post(id, 'cancel', body);

export const extend = (id: string, body: ExtendElicitation): Promise<ElicitationDetail> => post(id, 'extend', body);

const post = (id: string, verb: string, body: unknown): Promise<ElicitationDetail> =>
  callApi(`${addressOf(id)}/${verb}`, { method: 'POST', body, answer: ElicitationDetail });

const addressOf = (id: string): string => `/api/elicitations/${encodeURIComponent(id)}`;
