import type { Actor, AnswerChannel, StoredEvent } from '../../audit/entry.ts';
import type { Status } from '../../model/elicitation.ts';
import type { Meaning } from '../../model/stage.ts';

/** One entry of the log as a sentence for people. */
export function tellEvent(event: StoredEvent, names: ReadonlyMap<string, string>): string {
  const who = nameActor(event.actor, names);
  switch (event.type) {
    case 'elicitation.opened':
      return `${who} asked`;
    case 'elicitation.visited':
      return `${who} opened the page as the requester`;
    case 'elicitation.answered':
      return answered[event.channel](who, event);
    case 'elicitation.voted':
      return `${who} ${tellVote(event, names)}`;
    case 'elicitation.decided':
      return `${who} ${event.action === 'accept' ? 'allowed it' : 'denied it'}`;
    case 'elicitation.vote-withdrawn':
      return `${who} took their vote back`;
    case 'elicitation.votes-voided':
      return `${names.get(event.user) ?? 'Somebody who has left'} no longer has a say here: their vote is void`;
    case 'elicitation.edited':
      return `${who} edited the request: revision ${event.revision}, without votes`;
    case 'elicitation.approver-added':
      return `${who} asked ${names.get(event.user) ?? 'somebody'} to approve, too`;
    case 'elicitation.watched':
      return event.until === null ? `${who} is no longer reviewing it` : `${who} is reviewing it`;
    case 'elicitation.postponed':
      return `${who} moved the start`;
    case 'elicitation.commented':
      return `${who} commented`;
    case 'elicitation.inquired':
      return `${who} asked the requester`;
    case 'elicitation.informed':
      return event.channel === 'told'
        ? `${who} relayed what the agent told of the requester's reply`
        : `${who} relayed the requester's reply`;
    case 'elicitation.break-glass':
      return `${who} approved it past the policy, by emergency override`;
    case 'access.looked':
      return `${who} looked at it and said why`;
    case 'break-glass.reviewed':
      return `${who} reviewed the emergency override: ${event.isJustified ? 'justified' : 'not justified'}`;
    case 'elicitation.cancelled':
      return cancelled[event.cause](who);
    case 'elicitation.extended':
      return `${who} moved the deadline`;
    case 'elicitation.caller':
      return event.caller === 'gone' ? 'The waiting call was lost; it may come back' : 'The waiting call came back';
    case 'elicitation.reminded':
      return 'A reminder was due';
    case 'elicitation.escalated':
      return event.to === 'open' ? 'Nobody had decided: others may vote now' : 'Nobody had decided: it was declined';
    case 'elicitation.started':
      return 'Its time has come';
    case 'elicitation.expired':
      return 'Nobody decided in time';
    case 'grant.revoked':
      return `${who} revoked the standing approval ${event.grant}`;
    case 'grant.suspended':
      return `The tool has changed: the standing approval ${event.grant} is suspended`;
    case 'grant.reviewed':
      return `${who} reviewed the standing approval ${event.grant}`;
    case 'call.claimed':
      return `${who} began to run the tool`;
    case 'call.released':
      return `${who} asked on before it ran the tool`;
    case 'call.completed':
      return 'The tool has run; its result is kept for the caller';
    case 'call.settled':
      return 'The result reached the caller';
    default:
      return event.type;
  }
}

/** An approval that means no more than that needs no words. */
const signed = (meanings: Meaning[] = []): string =>
  meanings.some((meaning) => meaning !== 'approved') ? ` (${meanings.join(', ')})` : '';

/** The time that such a sentence is about. */
export function timeOf(event: StoredEvent): number | null {
  if (event.type === 'elicitation.extended') return event.deadlineAt;
  return event.type === 'elicitation.postponed' ? event.notBefore : null;
}

function tellVote(vote: Extract<StoredEvent, { type: 'elicitation.voted' }>, names: ReadonlyMap<string, string>) {
  const said = vote.action === 'accept' ? 'approved' : 'declined';
  return `${said}${instead(vote.for, names)}${signed(vote.meanings)}${vote.channel ? ' in chat' : ''}${madeBy(vote.issuer, names)}`;
}

const madeBy = (issuer: string | undefined, names: ReadonlyMap<string, string>): string =>
  issuer === undefined ? '' : `, known by what ${names.get(issuer) ?? 'somebody who has left'} set up`;

const instead = (absent: string | undefined, names: ReadonlyMap<string, string>): string =>
  absent === undefined ? '' : ` for ${names.get(absent) ?? 'somebody who has left'}`;

function nameActor(actor: Actor, names: ReadonlyMap<string, string>): string {
  if (actor.kind === 'policy')
    return `The policy ${actor.policy}${actor.grant ? `, by the standing approval ${actor.grant},` : ''}`;
  if ('id' in actor) return names.get(actor.id) ?? 'Somebody who has left';
  return nobodies[actor.kind];
}

const nobodies = {
  requester: 'The requester',
  service: 'The outside service',
  timer: 'The clock',
  directory: 'The directory',
  operator: 'An operator',
};

const answered: Record<AnswerChannel, (who: string, event: { action: string; to: Status }) => string> = {
  relayed: (who, { action }) => `${who} relayed the requester's answer: ${action}`,
  told: (who, { action }) => `${who} relayed what the agent told of the requester's answer: ${action}`,
  page: (who, { action, to }) =>
    to === 'open' ? `${who} agreed to go to the address` : `${who} answered on the page: ${action}`,
  callback: (who, { action }) => `${who} reported the result: ${action}`,
};

const cancelled = {
  user: (who: string) => `${who} reported that the requester dismissed it`,
  superseded: () => 'A newer question took its place',
  caller_gone: (who: string) => `${who} withdrew it: the caller was gone`,
  admin: (who: string) => `${who} cancelled the request`,
};
