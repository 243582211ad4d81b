import {
  ErasedContent,
  ErasedRequest,
  Hold,
  HoldList,
  type EraseContent,
  type PlaceHold,
} from '#protocol/contract/console/keeping';
import { orWaiting, type Changed } from './changes.ts';
import { callApi } from './call-api.ts';

export const eraseContent = (id: string, body: EraseContent): Promise<Changed<ErasedContent>> =>
  callApi(`${addressOf(id)}/erase`, { method: 'POST', body, answer: orWaiting(ErasedContent) });

export const readErased = (id: string, signal: AbortSignal): Promise<ErasedRequest> =>
  callApi(`${addressOf(id)}/erased`, { answer: ErasedRequest, signal });

export const readHolds = (signal: AbortSignal): Promise<HoldList> =>
  callApi('/api/holds', { answer: HoldList, signal });

export const placeHold = (body: PlaceHold): Promise<Changed<Hold>> =>
  callApi('/api/holds', { method: 'POST', body, answer: orWaiting(Hold) });

export const releaseHold = (id: string): Promise<Changed<Hold>> =>
  callApi(`/api/holds/${encodeURIComponent(id)}/release`, { method: 'POST', answer: orWaiting(Hold) });

const addressOf = (id: string): string => `/api/elicitations/${encodeURIComponent(id)}`;
