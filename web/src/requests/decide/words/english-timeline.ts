import type { TimelineActor, TimelineEvent } from '#requests/inbox/contract/inbox';
import { channels, isChat } from '#notify/chat/contract';
import type { NotificationChannel, NotificationKind } from '#notify/contract/notification';
import type { Action } from '#requests/asking/contract/elicitation';
import { refusalSentences } from '#requests/inbox/contract/refusal';
import type { Meaning } from '#requests/voting/contract/quorum';
import { formatsIn } from '#platform/text/formats';
import type { DeliveryGroup } from './url-facts.ts';

const { all, number } = formatsIn('en');

type Erasure = Extract<TimelineEvent, { type: 'content.erased' }>;

export const history = { title: 'Timeline' };

/** What happened, as a sentence without its end: a time or a comment may follow. */
export const formatEvent = (by: TimelineActor, event: TimelineEvent): string =>
  (sentences[event.type] as (who: string, event: TimelineEvent) => string)(nameActor(by), event);

/** The events that can have this type: some kinds have several. */
type EventOf<Type, Event = TimelineEvent> = Event extends { type: infer Types }
  ? Type extends Types
    ? Event
    : never
  : never;

export type Sentences = { [Type in TimelineEvent['type']]: (who: string, event: EventOf<Type>) => string };

const sentences: Sentences = {
  'elicitation.answered': formatAnswer,
  'elicitation.voted': (who, event) => `${who} ${formatVote(event)}`,
  'elicitation.decided': (who, event) => `${who} ${event.action === 'accept' ? 'allowed it' : 'denied it'}`,
  'elicitation.votes-voided': (who, event) => `${event.user ?? gone} can no longer vote; their vote was voided`,
  'elicitation.edited': (who, event) =>
    `${who} edited the request (revision ${number(event.revision)}); earlier votes are void`,
  'elicitation.approver-added': (who, event) => `${who} added ${event.user ?? gone} as an approver`,
  'elicitation.watched': (who, event) => (event.isWatching ? `${who} is reviewing it` : `${who} stopped reviewing it`),
  'elicitation.informed': (who, event) =>
    `${who} relayed the requester’s reply${event.channel === 'told' ? ', according to the agent' : ''}`,
  'break-glass.reviewed': (who, event) =>
    `${who} reviewed the emergency override: ${event.isJustified ? 'justified' : 'not justified'}`,
  'look-back.reviewed': (who, event) =>
    `${who} looked at it afterwards: ${event.shouldHaveAsked ? 'people should have been asked' : 'as it should be'}`,
  'elicitation.cancelled': (who, event) =>
    event.isStopped ? `${who} stopped it with the kill switch` : cancelled[event.cause](who),
  'content.erased': (who, event) => `${who} erased its content${grounds[event.ground]}`,
  'call.lapsed': (who, event) => `The approval was no longer valid when it was used: ${formatLapse(event)}`,
  'call.applied': (who, event) =>
    event.refused === null ? 'The change was made' : `The change was not made: ${refusalSentences[event.refused]}`,
  'elicitation.caller': (who, event) =>
    event.caller === 'gone' ? 'The caller disconnected; it may come back' : 'The caller came back',
  'elicitation.escalated': (who, event) => {
    if (event.to !== 'open') return 'No one decided: it was declined';
    return event.inPlace === null
      ? 'No one decided: others can vote now'
      : `No one decided: ${event.inPlace} takes the place of the stage, and voting starts again`;
  },
  'elicitation.postponed': (who) => `${who} changed the start time`,
  'elicitation.extended': (who) => `${who} extended the deadline`,
  'grant.revoked': (who, event) => `${who} ended the standing approval ${event.grant}`,
  'grant.suspended': (who, event) => `The tool changed: the standing approval ${event.grant} is suspended`,
  'grant.reviewed': (who, event) => `${who} confirmed the standing approval ${event.grant}`,
  'elicitation.opened': (who) => `${who} made the request`,
  'elicitation.visited': (who) => `${who} opened the page as the requester`,
  'elicitation.vote-withdrawn': (who) => `${who} withdrew their vote`,
  'elicitation.commented': (who) => `${who} commented`,
  'elicitation.inquired': (who) => `${who} asked the requester`,
  'access.looked': (who) => `${who} read it and gave a reason`,
  'elicitation.break-glass': (who) => `${who} approved it past the policy, by emergency override`,
  'elicitation.reminded': () => 'Reminder sent',
  'elicitation.started': () => 'Scheduled start reached',
  'elicitation.expired': () => 'Expired: no one decided in time',
  'call.claimed': (who) => `${who} started the tool`,
  'call.released': (who) => `${who} gave the call back before running the tool`,
  'call.mismatched': (who) => `${who} was about to run something that wasn’t approved; nothing ran`,
  'call.revoked': (who) => `${who} revoked the approval before it was used`,
  'call.completed': () => 'The tool finished; its result is kept for the caller',
  'page.moved': (who) => `${who} opened the page in another browser, which took the place of the first`,
  'callback.late': () => 'A service reported after the end; no call got it',
  'callback.unfit': () => 'A service reported something that does not fit; it was not taken',
  'call.settled': () => 'The caller received the result',
};

/** Who was told, how and of what. */
export function formatDelivery({ channel, kind, state, to }: DeliveryGroup): string {
  const way = isChat(channel) ? `in ${channels[channel].label}` : ways[channel];
  const former = formerly[isChat(channel) ? 'email' : channel];
  const whom = `${all([...new Set(to.map((name) => name ?? former))])} ${way}`;
  return `${state === 'sent' ? `Assentry notified ${whom}` : `Assentry couldn’t notify ${whom} and gave up`}: ${news[kind]}`;
}

const formerly = {
  email: 'someone who has left',
  push: 'someone',
  webhook: 'a receiver that was removed',
} satisfies Record<NotificationChannel, string>;

const ways = {
  email: 'by email',
  push: 'in the browser',
  webhook: 'by webhook',
} satisfies Record<NotificationChannel, string>;

const news = {
  turn: 'a decision is needed',
  reminder: 'a decision is still needed',
  outcome: 'how it ended',
  review: 'a policy to review',
  key: 'a key that expires',
  tool: 'a tool that changed',
  members: 'members to confirm',
  report: 'a report that no call got',
  'sign-in': 'a changed sign-in',
  link: 'a link for a password',
  test: 'a test',
} satisfies Record<NotificationKind, string>;

const grounds = {
  asked: ': the requester asked for it',
  mistake: ': it should never have been here',
  law: ': a law demands it',
  policy: ': the time for which it is kept is over',
} satisfies Record<Erasure['ground'], string>;

function formatLapse({ user, policy, grant }: Extract<TimelineEvent, { type: 'call.lapsed' }>): string {
  if (policy !== null) return `${policy} denies it now`;
  if (grant !== null) return `the standing approval ${grant} has ended`;
  return `${user?.name ?? 'someone who approved'} can no longer vote`;
}

const gone = 'Someone who has left';

/** Who did it, at the beginning of a sentence. */
export function nameActor(actor: TimelineActor): string {
  if (actor.kind === 'policy')
    return `The policy ${actor.policy}${actor.grant === null ? '' : `, by the standing approval ${actor.grant},`}`;
  return 'name' in actor ? (actor.name ?? gone) : actors[actor.kind];
}

const actors = {
  requester: 'The requester',
  service: 'The external service',
  timer: 'Assentry',
  directory: 'The directory',
  operator: 'An operator',
  provider: 'An identity provider',
  stranger: 'Someone unknown',
};

type Vote = Extract<TimelineEvent, { type: 'elicitation.voted' }>;

function formatVote({ action, for: absent, meanings, issuer, keyMaker, inChat }: Vote): string {
  const verb = action === 'accept' ? 'approved' : 'declined';
  return `${verb}${absent === null ? '' : ` for ${absent.name ?? gone}`}${formatMeanings(meanings)}${inChat ? ' in chat' : ''}${issuer === null ? '' : `, signed in through ${issuer.name ?? gone}`}${keyMaker === null ? '' : `; the key that asked was made by ${keyMaker.name ?? gone}`}`;
}

/** A plain approval needs no words. */
const formatMeanings = (meanings: Meaning[]): string =>
  meanings.every((meaning) => meaning === 'approved') ? '' : ` (${all(meanings.map((meaning) => signed[meaning]))})`;

const signed: Record<Meaning, string> = {
  approved: 'approved',
  reviewed: 'reviewed',
  responsible: 'responsible',
  witnessed: 'witnessed',
};

const answers: Record<Action, string> = { accept: 'accepted', decline: 'declined', cancel: 'dismissed' };

function formatAnswer(who: string, event: Extract<TimelineEvent, { type: 'elicitation.answered' }>): string {
  const answer = answers[event.action];
  switch (event.channel) {
    case 'relayed':
      return `${who} relayed the requester’s answer: ${answer}`;
    case 'told':
      return `${who} relayed the requester’s answer, according to the agent: ${answer}`;
    case 'callback':
      return `${who} reported the result: ${answer}`;
    case 'page':
      return event.to === 'open' ? `${who} agreed to go to the address` : `${who} answered on the page: ${answer}`;
  }
}

const cancelled = {
  user: (who: string) => `${who} reported that the requester dismissed it`,
  superseded: () => 'A newer request replaced it',
  caller_gone: (who: string) => `${who} withdrew it because the caller was gone`,
  admin: (who: string) => `${who} cancelled the request`,
};
