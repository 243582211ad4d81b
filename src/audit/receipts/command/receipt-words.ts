import type { VoteEvent } from '../../tree/rules/notes/device-signature.ts';
import { isEnd } from '../rules/receipt.ts';
import type { Actor, AnswerChannel, StoredEvent } from '../../entries/rules/entry/entry.ts';

/** Who decided what, when and under which policy, for readers who don't know Assentry; null for other entries. */
export function describeDecision(event: StoredEvent): string[] | null {
  if (!isEnd(event)) return null;
  const decided = event.type === 'elicitation.answered' ? answers[event.to] : outcomes[event.to];
  const outcome = event.type === 'call.revoked' ? revoked : decided;
  const lines: [string, string][] = [
    ['Decision', `${outcome}: request ${event.elicitation}, revision ${event.revision}`],
    ['By', decider(event)],
    ['When', event.at],
    ['Policy', event.policy],
    ['Request', `SHA-256 ${event.digest} of the question and its arguments`],
    ['Entry', `${event.id} (${event.type})`],
  ];
  return lines.map(([name, value]) => `${`${name}:`.padEnd(10)}${value}`);
}

/** A vote that its voter's device signed, with the meaning and the moment of the signature. */
export const describeSignature = ({ actor, action, at, device, meanings = [], for: absent }: VoteEvent): string =>
  `Signed:   ${action === 'accept' ? 'APPROVED' : 'DECLINED'} by ${nameActor(actor)} on their device${votingFor(absent)}${
    meanings.length > 0 ? ` (${meanings.join(', ')})` : ''
  }, at ${at}, with the passkey ${device?.passkey ?? ''}`;

const revoked = 'APPROVED, and REVOKED before it ran';
const outcomes = {
  accepted: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED without a decision',
  expired: 'EXPIRED without a decision',
};
const answers = {
  ...outcomes,
  accepted: 'ANSWERED',
  declined: 'DECLINED by the requester',
  cancelled: 'DISMISSED by the requester',
};

function decider(event: StoredEvent): string {
  const actor = nameActor(event.actor);
  switch (event.type) {
    case 'elicitation.voted':
      return `${actor}${votingFor(event.for)}${knownBy(event)}, with the deciding vote${alone(event)}`;
    case 'elicitation.vote-withdrawn':
      return `everyone whose approval was needed, after ${actor} withdrew a vote to decline`;
    case 'elicitation.answered':
      return `the requester, ${channels[event.channel]}`;
    case 'elicitation.break-glass':
      return `${actor}, by emergency override past the policy; a review is due${alone(event)}`;
    case 'elicitation.cancelled':
      return `${actor} (${event.cause})`;
    case 'elicitation.started':
      return `${nameApprovers(event.approvers)}; it then waited until it could start`;
    case 'call.revoked':
      return `${actor}, who revoked what had been approved`;
    case 'elicitation.escalated':
    case 'elicitation.expired':
      return 'no one, in time';
    default:
      return actor;
  }
}

/** Older entries name none. */
const nameApprovers = (approvers: string[] = []): string =>
  approvers.length === 0
    ? 'everyone whose approval was needed'
    : `${approvers.map((id) => `the person ${id}`).join(', ')}, with all approvals that were needed`;

const votingFor = (absent: string | undefined): string => (absent ? `, voting for the person ${absent}` : '');

/** Older entries name no factor. */
const knownBy = ({ factor, issuer }: Extract<StoredEvent, { type: 'elicitation.voted' }>): string =>
  factor === undefined ? '' : ` (signed in by ${factor}${issuer ? `, set up by the person ${issuer}` : ''})`;

const alone = ({ keyMaker }: { keyMaker?: string }): string =>
  keyMaker === undefined ? '' : `; in a trial: the key that asked was made by the person ${keyMaker}`;

const channels: Record<AnswerChannel, string> = {
  relayed: 'as passed on by the server that asked',
  told: 'as passed on by the agent and the server that asked',
  page: 'on the hosted page',
  callback: 'as reported by the outside service',
};

function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return `the person ${actor.id}`;
    case 'server':
      return `the server ${actor.id}`;
    case 'policy':
      return `the policy ${actor.policy}${actor.grant ? `, by the standing approval ${actor.grant}` : ''}`;
    case 'token':
      return `the program with the token ${actor.name} (${actor.token})`;
    case 'provider':
      return `the identity provider ${actor.provider}`;
    default:
      return others[actor.kind];
  }
}

const others = {
  requester: 'the requester',
  service: 'an outside service',
  timer: 'Assentry',
  operator: 'an operator',
  directory: 'the directory',
  stranger: 'someone unknown',
};
