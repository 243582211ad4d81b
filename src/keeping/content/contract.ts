import { z } from 'zod';
import {
  cancelCauses,
  contentScopes,
  erasureGrounds,
  holdScopes,
  risks,
  statuses,
} from '#requests/asking/contract/elicitation';
import { digest, idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId, Moment, storable } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '#people/changes/contract';
import { ElicitationDetail, TimelineActor, TimelineEntry } from '#requests/inbox/contract/inbox';

/** API of keeping, erasing and holding content. */
const HoldId = idText('hold').meta({ id: 'HoldId' });

const EraseContent = z
  .strictObject({
    of: z.enum(contentScopes).meta({
      description: 'Only this request, or everything that its requester ever asked, at every server.',
    }),
    ground: z.enum(erasureGrounds).meta({
      description: 'The requester asked for it, it should never have been here, or a law demands it.',
    }),
  })
  .meta({ id: 'EraseContent' });

const ErasedContent = z
  .object({
    erased: z.int().min(1).meta({ description: 'How many requests have no content now.' }),
    held: z.int().min(0).meta({ description: 'How many a legal hold keeps.' }),
    needed: z.int().min(0).meta({ description: 'How many are open, or have content on which something still rests.' }),
  })
  .meta({ id: 'ErasedContent' });
export type ErasedContent = z.infer<typeof ErasedContent>;

export const ErasedRequest = z
  .object({
    id: ElicitationId,
    server: z.string(),
    tool: z.string(),
    status: z.enum(statuses),
    cause: z.enum(cancelCauses).nullable(),
    risk: z.enum(risks),
    revision: z.int(),
    digest,
    /** name@version */
    policy: z.string(),
    openedAt: Moment,
    closedAt: Moment.nullable(),
    erased: z.object({
      at: Moment,
      by: TimelineActor,
      /** People who agreed. */
      with: z.array(z.string()),
      /** `policy`: its policy's retention time was over. */
      ground: z.enum([...erasureGrounds, 'policy']),
    }),
    /** Votes without comments. */
    votes: ElicitationDetail.shape.votes,
    timeline: z.array(TimelineEntry),
  })
  .meta({ id: 'ErasedRequest' });
export type ErasedRequest = z.infer<typeof ErasedRequest>;

/** Deciders, the one who asked first; none for the operator. Null if the log does not tell. */
const act = z.object({ at: Moment, by: z.array(z.string()) }).nullable();

export const Hold = z
  .object({
    id: HoldId,
    scope: z.enum(holdScopes),
    request: ElicitationId.nullable(),
    server: z.string().nullable(),
    reason: z.string(),
    placed: act,
    /** Null while it is in force. */
    released: act,
  })
  .meta({ id: 'Hold' });
export type Hold = z.infer<typeof Hold>;

export const HoldList = z.object({ holds: z.array(Hold) }).meta({ id: 'HoldList' });
export type HoldList = z.infer<typeof HoldList>;

const reason = storable(500)
  .trim()
  .min(1, 'Give a reason: it is stored readable and is never erased, so name the matter and no one.');

const PlaceHold = z
  .strictObject({
    scope: z.enum(holdScopes),
    request: ElicitationId.optional().meta({ description: 'For the scopes request and requester.' }),
    server: storable(64).trim().min(1, 'Name a server.').optional().meta({ description: 'For the scope server.' }),
    reason,
  })
  .meta({ id: 'PlaceHold' });
export type PlaceHold = z.infer<typeof PlaceHold>;

const elicitation = z.object({ id: ElicitationId });

export const keepingRoutes = {
  eraseContent: {
    method: 'post',
    path: '/api/elicitations/{id}/erase',
    auth: 'session',
    permission: 'hold-content',
    proof: 'fresh',
    summary:
      'Erase content by destroying its key; entries, proofs and receipts stay valid. Two administrators decide it.',
    params: elicitation,
    body: EraseContent,
    success: { 200: changed(ErasedContent), 202: WaitingChange },
  },
  showErased: {
    method: 'get',
    path: '/api/elicitations/{id}/erased',
    auth: 'session',
    permission: null,
    summary: 'What is left of a request whose content was erased.',
    params: elicitation,
    success: { 200: ErasedRequest },
  },
  listHolds: {
    method: 'get',
    path: '/api/holds',
    auth: 'session',
    permission: 'read-log',
    summary: 'All legal holds, those in force first. Not for approvers.',
    success: { 200: HoldList },
  },
  placeHold: {
    method: 'post',
    path: '/api/holds',
    auth: 'session',
    permission: 'hold-content',
    proof: 'fresh',
    summary: 'Place a legal hold: nothing in its scope is erased until it is released. Two administrators decide it.',
    body: PlaceHold,
    success: { 201: changed(Hold), 202: WaitingChange },
  },
  releaseHold: {
    method: 'post',
    path: '/api/holds/{id}/release',
    auth: 'session',
    permission: 'hold-content',
    proof: 'fresh',
    summary: 'Release a legal hold. Two administrators decide it.',
    params: z.object({ id: HoldId }),
    success: { 200: changed(Hold), 202: WaitingChange },
  },
} as const satisfies Record<string, RouteContract>;
