import {
  ErasedContent,
  ErasedRequest,
  Hold,
  HoldList,
  type EraseContent,
  type PlaceHold,
} from '#keeping/content/contract';
import { orWaiting } from '../../people/changes/changes.ts';
import { address, callApi } from '../../client/call-api.ts';

export const eraseContent = (id: string, body: EraseContent) =>
  callApi(`${addressOf(id)}/erase`, { method: 'POST', body, answer: orWaiting(ErasedContent) });

export const readErased = (id: string, signal: AbortSignal) =>
  callApi(`${addressOf(id)}/erased`, { answer: ErasedRequest, signal });

export const readHolds = (signal: AbortSignal) => callApi('/api/holds', { answer: HoldList, signal });

export const placeHold = (body: PlaceHold) => callApi('/api/holds', { method: 'POST', body, answer: orWaiting(Hold) });

export const releaseHold = (id: string) =>
  callApi(address`/api/holds/${id}/release`, { method: 'POST', answer: orWaiting(Hold) });

const addressOf = (id: string): string => address`/api/elicitations/${id}`;
