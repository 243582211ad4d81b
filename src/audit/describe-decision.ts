import type { Actor, AnswerChannel, StoredEvent } from './entry.ts';

/** Who decided what, when and under which policy, in words that need no knowledge of Assentry; null for other entries. */
export function describeDecision(event: StoredEvent): string[] | null {
  if (!('revision' in event) || event.to === 'open') return null;
  const outcome = event.type === 'elicitation.answered' ? answered[event.to] : outcomes[event.to];
  const lines: [string, string][] = [
    ['Decision', `${outcome}: request ${event.elicitation}, revision ${event.revision}`],
    ['By', decider(event)],
    ['When', event.at],
    ['Policy', event.policy],
    ['Request', `SHA-256 ${event.digest} of what was asked, with its arguments`],
    ['Entry', `${event.id} (${event.type})`],
  ];
  return lines.map(([name, value]) => `${`${name}:`.padEnd(10)}${value}`);
}

const outcomes = {
  accepted: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED, without a decision',
  expired: 'EXPIRED, without a decision',
};
const answered = {
  ...outcomes,
  accepted: 'ANSWERED',
  declined: 'REFUSED by the requester',
  cancelled: 'DISMISSED by the requester',
};

function decider(event: StoredEvent): string {
  const who = nameActor(event.actor);
  switch (event.type) {
    case 'elicitation.voted':
      return `${who}${event.for ? `, standing in for the person ${event.for}` : ''}${knownBy(event)}, with the vote that completed it`;
    case 'elicitation.vote-withdrawn':
      return `all whose approval it needed, once ${who} had taken a refusal back`;
    case 'elicitation.answered':
      return `the requester, ${channels[event.channel]}`;
    case 'elicitation.break-glass':
      return `${who}, past the policy (emergency override, to be reviewed)`;
    case 'elicitation.cancelled':
      return `${who} (${event.cause})`;
    case 'elicitation.started':
      return 'all whose approval it needed; it had waited for its start since';
    case 'elicitation.expired':
      return 'nobody in time';
    default:
      return who;
  }
}

/** Entries of before name no factor. */
const knownBy = ({ factor, issuer }: Extract<StoredEvent, { type: 'elicitation.voted' }>): string =>
  factor === undefined ? '' : ` (known by ${factor}${issuer ? `, the way to which the person ${issuer} made` : ''})`;

const channels: Record<AnswerChannel, string> = {
  relayed: 'as the server that asked relayed it',
  told: 'as the agent told it and the server that asked relayed it',
  page: 'on the hosted page',
  callback: 'as the outside service reported it',
};

function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return `the person ${actor.id}`;
    case 'server':
      return `the server ${actor.id}`;
    case 'policy':
      return `the policy ${actor.policy}${actor.grant ? `, by the standing approval ${actor.grant}` : ''}`;
    default:
      return others[actor.kind];
  }
}

const others = {
  requester: 'the requester',
  service: 'an outside service',
  timer: 'the clock',
  operator: 'an operator',
  directory: "the company's directory",
};
