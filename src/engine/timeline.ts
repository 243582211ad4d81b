import type { StoredEvent } from '../audit/entry.ts';

/** One entry of the log as a sentence for people. */
export function tellEvent(event: StoredEvent, names: ReadonlyMap<string, string>): string {
  const { actor } = event;
  const who = 'id' in actor ? (names.get(actor.id) ?? 'Somebody who has left') : 'The clock';
  switch (event.type) {
    case 'elicitation.opened':
      return `${who} asked`;
    case 'elicitation.visited':
      return 'The requester opened the page';
    case 'elicitation.answered':
      return `${who} relayed the requester's answer: ${event.action}`;
    case 'elicitation.voted':
      return `${who} ${event.action === 'accept' ? 'approved' : 'declined'}`;
    case 'elicitation.cancelled':
      return cancelled[event.cause](who);
    case 'elicitation.extended':
      return `${who} moved the deadline to ${new Date(event.deadlineAt).toISOString()}`;
    case 'elicitation.caller':
      return event.caller === 'gone' ? 'The waiting call was lost; it may come back' : 'The waiting call came back';
    case 'elicitation.reminded':
      return 'A reminder was due';
    case 'elicitation.escalated':
      return 'Nobody had decided: more approvers may vote now';
    case 'elicitation.expired':
      return 'Nobody decided in time';
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

const cancelled = {
  user: (who: string) => `${who} reported that the requester dismissed it`,
  superseded: () => 'A newer question took its place',
  caller_gone: (who: string) => `${who} withdrew it: the caller was gone`,
  admin: (who: string) => `${who} cancelled the request`,
};
