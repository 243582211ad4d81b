import { z } from 'zod';
import {
  actions,
  callerStates,
  cancelCauses,
  erasureGrounds,
  relayChannels,
  statuses,
  voteActions,
} from '../../../asking/contract/elicitation.ts';
import { RefusalCode } from '#platform/http/contract/route';
import { meanings } from '../../../voting/contract/quorum/stage.ts';
import { Moment } from '../../../asking/contract/open.ts';

/** Who did it. A name is null if the person has left. */
export const TimelineActor = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['user', 'server', 'token']), name: z.string().nullable() }),
  z.object({ kind: z.literal('policy'), policy: z.string(), grant: z.string().nullable() }),
  z.object({ kind: z.enum(['requester', 'service', 'timer', 'directory', 'operator', 'provider', 'stranger']) }),
]);
export type TimelineActor = z.infer<typeof TimelineActor>;

/** What happened, as data. */
export const TimelineEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.enum([
      'elicitation.opened',
      'elicitation.visited',
      'elicitation.vote-withdrawn',
      'elicitation.commented',
      'elicitation.inquired',
      'elicitation.break-glass',
      'access.looked',
      'elicitation.reminded',
      'elicitation.started',
      'elicitation.expired',
      'call.claimed',
      'call.released',
      'call.mismatched',
      'call.revoked',
      'call.completed',
      'call.settled',
      'page.moved',
      'callback.late',
      'callback.unfit',
    ]),
  }),
  z.object({
    type: z.literal('elicitation.answered'),
    channel: z.enum([...relayChannels, 'page', 'callback']),
    action: z.enum(actions),
    /** Open if the requester only agreed to go to the address. */
    to: z.enum(statuses),
  }),
  z.object({
    type: z.literal('elicitation.voted'),
    action: z.enum(voteActions),
    /** The person the voter voted for. */
    for: z.object({ name: z.string().nullable() }).nullable(),
    /** What an approval says as a signature. */
    meanings: z.array(z.enum(meanings)),
    /** The administrator who set up the voter’s way to sign in, if one did. */
    issuer: z.object({ name: z.string().nullable() }).nullable(),
    /** The maker of the key that asked, if the vote counts for them: only in a trial. */
    keyMaker: z.object({ name: z.string().nullable() }).nullable(),
    inChat: z.boolean(),
  }),
  z.object({ type: z.literal('elicitation.decided'), action: z.enum(voteActions) }),
  z.object({ type: z.enum(['elicitation.votes-voided', 'elicitation.approver-added']), user: z.string().nullable() }),
  z.object({ type: z.literal('elicitation.edited'), revision: z.int() }),
  z.object({ type: z.literal('elicitation.watched'), isWatching: z.boolean() }),
  z.object({ type: z.enum(['elicitation.postponed', 'elicitation.extended']), until: Moment }),
  z.object({ type: z.literal('elicitation.informed'), channel: z.enum(relayChannels) }),
  z.object({ type: z.literal('break-glass.reviewed'), isJustified: z.boolean() }),
  z.object({ type: z.literal('look-back.reviewed'), shouldHaveAsked: z.boolean() }),
  z.object({ type: z.literal('elicitation.cancelled'), cause: z.enum(cancelCauses), isStopped: z.boolean() }),
  z.object({ type: z.literal('content.erased'), ground: z.enum([...erasureGrounds, 'policy']) }),
  z.object({ type: z.literal('elicitation.caller'), caller: z.enum(callerStates) }),
  z.object({
    type: z.literal('elicitation.escalated'),
    to: z.enum(statuses),
    inPlace: z.string().nullable().meta({ description: 'The stage that has taken the place of the one before.' }),
  }),
  /** Why an approval was not used: a vote that no longer counts, a policy that denies it, or a grant that has ended. */
  z.object({
    type: z.literal('call.lapsed'),
    user: z.object({ name: z.string().nullable() }).nullable(),
    policy: z.string().nullable(),
    grant: z.string().nullable(),
  }),
  /** A change of power was made as agreed; or it was not, for this reason. */
  z.object({ type: z.literal('call.applied'), refused: RefusalCode.nullable() }),
  z.object({ type: z.enum(['grant.revoked', 'grant.suspended', 'grant.reviewed']), grant: z.string() }),
]);
export type TimelineEvent = z.infer<typeof TimelineEvent>;

export const TimelineEntry = z
  .object({ at: Moment, by: TimelineActor, event: TimelineEvent, comment: z.string().nullable() })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;
