import { keepingWords } from '#locales/keeping';
import { requestsAlwaysWords } from '#locales/requests-always';
import { requestsTimelineWords } from '#locales/requests-timeline';
import type { TimelineActor, TimelineEvent } from '#requests/inbox/contract/inbox';
import type { AlwaysChoices } from '#policies/contract/documents';
import { channels, isChat } from '#notify/chat/contract';
import { language, shared } from '../../../language/language.ts';
import type { DeliveryGroup } from './spoken.ts';

const timeline = requestsTimelineWords[language];
const { events, gone } = timeline;

/** Words of the sections after the decision. */
export const { history } = timeline;

/** An event as a sentence without its end: a time or a comment may follow. */
export function formatEvent(by: TimelineActor, event: TimelineEvent): string {
  const who = nameActor(by);
  switch (event.type) {
    case 'elicitation.answered':
      return events[event.type](who, event.channel, event.to, timeline.answers[event.action]);
    case 'elicitation.voted':
      return formatVote(who, event);
    case 'elicitation.decided':
      return events[event.type](who, event.action);
    case 'elicitation.votes-voided':
      return events[event.type](event.user);
    case 'elicitation.approver-added':
      return events[event.type](who, event.user);
    case 'elicitation.edited':
      return events[event.type](who, event.revision);
    case 'elicitation.watched':
      return events[event.type](who, event.isWatching);
    case 'elicitation.informed':
      return events[event.type](who, event.channel);
    case 'break-glass.reviewed':
      return events[event.type](who, event.isJustified);
    case 'look-back.reviewed':
      return events[event.type](who, event.shouldHaveAsked);
    case 'elicitation.cancelled':
      return events[event.type](who, event.isStopped ? 'stopped' : event.cause);
    case 'content.erased':
      return events[event.type](who, event.ground);
    case 'call.lapsed':
      return events[event.type](event.policy, event.grant, event.user?.name ?? null);
    case 'call.applied':
      return events[event.type](event.refused === null ? null : shared.refusals[event.refused]);
    case 'elicitation.caller':
      return events[event.type](event.caller);
    case 'elicitation.escalated':
      return events[event.type](event.to, event.inPlace);
    case 'grant.revoked':
    case 'grant.reviewed':
      return events[event.type](who, event.grant);
    case 'grant.suspended':
      return events[event.type](event.grant);
    default: {
      const sentence = events[event.type];
      return typeof sentence === 'string' ? sentence : sentence(who);
    }
  }
}

/** Recipients of a notification, its channel and kind. */
export function formatDelivery({ channel, kind, state, to }: DeliveryGroup): string {
  const way = isChat(channel) ? timeline.inChat(channels[channel].label) : timeline.ways[channel];
  const former = timeline.formerly[isChat(channel) ? 'email' : channel];
  const people = [...new Set(to.map((name) => name ?? former))];
  return timeline.told(state, people, way, timeline.news[kind]);
}

/** Actor, at the beginning of a sentence. */
export function nameActor(actor: TimelineActor): string {
  if (actor.kind === 'policy') return timeline.policyActor(actor.policy, actor.grant);
  return 'name' in actor ? (actor.name ?? gone) : timeline.actors[actor.kind];
}

type Vote = Extract<TimelineEvent, { type: 'elicitation.voted' }>;

/** Sentence of a vote; a plain approval needs no words for its meaning. */
function formatVote(who: string, { type, action, for: absent, meanings, issuer, keyMaker, inChat }: Vote): string {
  const shown = meanings.every((meaning) => meaning === 'approved') ? [] : meanings;
  const nameOf = (person: { name: string | null } | null): string | null => person && (person.name ?? gone);
  return events[type](
    who,
    action,
    nameOf(absent),
    shown.map((meaning) => timeline.meanings[meaning]),
    inChat,
    nameOf(issuer),
    nameOf(keyMaker),
  );
}

type Choice = Pick<AlwaysChoices['choices'][number], 'kind' | 'value'>;

const { limits, ...ofAlways } = requestsAlwaysWords[language].always;

export const always = {
  ...ofAlways,
  /** `tools` are other tools than the requested one. */
  limits: ({ kind, value }: Choice, tools: string[]): string =>
    tools.length === 0 ? limits.one(kind, value) : limits.several(limits.one(kind, value), tools),
};

export const { keeping } = keepingWords[language];

/** The one missing step before this person's approval, to which the button leads. */
export type Left =
  | { kind: 'changed' }
  /** None of their passkeys can sign it. */
  | { kind: 'passkey' }
  | { kind: 'read' }
  | { kind: 'answers'; count: number; first: string; isMissing: boolean }
  | { kind: 'comment' }
  | { kind: 'typed'; text: string };
