import type { Actor, AuditEvent, StoredEvent } from '#audit/entries/rules/entry';
import type { DeliveryEvent } from '#audit/entries/rules/events';
import type { Action } from '../../../asking/contract/elicitation.ts';

type Names = ReadonlyMap<string, string>;

/** The events of the log that are about one request. Who was told of it is for reviewers, in its record. */
export type RequestEvent = Exclude<Extract<AuditEvent, { elicitation: unknown }>, DeliveryEvent>;

export const isAboutRequest = (event: StoredEvent): event is StoredEvent & RequestEvent =>
  'elicitation' in event && event.type !== 'notification.sent' && event.type !== 'notification.given-up';

/** Who did it, by the name people know; the name is null if they have left. */
export function showActor(actor: Actor, names: Names) {
  if (actor.kind === 'policy') return { kind: actor.kind, policy: actor.policy, grant: actor.grant ?? null };
  if (actor.kind === 'token') return { kind: actor.kind, name: actor.name };
  return 'id' in actor ? { kind: actor.kind, name: names.get(actor.id) ?? null } : { kind: actor.kind };
}

/** What one log entry says about a request, as data for the catalogues: no ids, digests or sealed text. */
export function showEvent(event: RequestEvent, names: Names) {
  switch (event.type) {
    case 'elicitation.answered':
      // The log's type allows any text; the machine only lets actions through.
      return { type: event.type, channel: event.channel, action: event.action as Action, to: event.to };
    case 'elicitation.voted':
      return {
        type: event.type,
        action: event.action,
        for: named(event.for, names),
        issuer: named(event.issuer, names),
        keyMaker: named(event.keyMaker, names),
        meanings: event.meanings ?? [],
        inChat: event.channel === 'chat',
      };
    case 'elicitation.decided':
      return { type: event.type, action: event.action };
    case 'elicitation.votes-voided':
    case 'elicitation.approver-added':
      return { type: event.type, user: names.get(event.user) ?? null };
    case 'elicitation.edited':
      return { type: event.type, revision: event.revision };
    case 'elicitation.watched':
      return { type: event.type, isWatching: event.until !== null };
    case 'elicitation.postponed':
      return { type: event.type, until: event.notBefore };
    case 'elicitation.extended':
      return { type: event.type, until: event.deadlineAt };
    case 'elicitation.informed':
      return { type: event.type, channel: event.channel };
    case 'break-glass.reviewed':
      return { type: event.type, isJustified: event.isJustified };
    case 'look-back.reviewed':
      return { type: event.type, shouldHaveAsked: event.shouldHaveAsked };
    case 'content.erased':
      return { type: event.type, ground: event.ground };
    case 'elicitation.cancelled':
      return { type: event.type, cause: event.cause, isStopped: event.stop !== undefined };
    case 'elicitation.caller':
      return { type: event.type, caller: event.caller };
    case 'elicitation.escalated':
      return { type: event.type, to: event.to, inPlace: event.inPlace ?? null };
    case 'call.lapsed':
      return {
        type: event.type,
        user: named(event.user, names),
        policy: event.deniedBy ?? null,
        grant: event.grant ?? null,
      };
    case 'call.applied':
      return { type: event.type, refused: event.refused ?? null };
    case 'grant.revoked':
    case 'grant.suspended':
    case 'grant.reviewed':
      return { type: event.type, grant: event.grant };
    default:
      return { type: event.type };
  }
}

const named = (id: string | undefined, names: Names) => (id === undefined ? null : { name: names.get(id) ?? null });
