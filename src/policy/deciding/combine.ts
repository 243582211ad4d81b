import { risks, type Risk } from '../../model/elicitation.ts';
import type { RequesterRule } from '../../model/policy.ts';
import type { ChatTerms, NotifyTerms } from '../terms/policy-document.ts';
import type { Requirement } from '../terms/strict-default.ts';

/**
 * A requirement at least as strict as each of the two: the stages of both, the shorter times, all reasons, and only
 * what both permit. Name and reminders come from the first.
 */
export function combine(first: Requirement, second: Requirement): Requirement {
  return {
    ...first,
    requester: stricterRequester(first.requester, second.requester),
    stages: [...first.stages, ...second.stages],
    freeze: [...first.freeze, ...second.freeze],
    frozen: [...first.frozen, ...second.frozen],
    risk: higherRisk(first.risk, second.risk),
    deadline: shorter(first.deadline, second.deadline),
    onTimeout: first.onTimeout === 'deny' ? 'deny' : second.onTimeout,
    notBefore: first.notBefore && second.notBefore,
    justification: {
      requester: [...first.justification.requester, ...second.justification.requester],
      approver: [...first.justification.approver, ...second.justification.approver],
    },
    freshSignIn: shorter(first.freshSignIn, second.freshSignIn),
    readingTime: longer(first.readingTime, second.readingTime),
    pace: [...first.pace, ...second.pace],
    editable: null,
    facts: first.facts.length > 0 ? first.facts : second.facts,
    undo: longer(first.undo, second.undo),
    grant: null,
    chat: bothTell(first.chat, second.chat),
    notify: bothNotify(first.notify, second.notify),
  };
}

/** The default is stricter than `any`, and less strict than `verified`. */
function stricterRequester(first: RequesterRule | null, other: RequesterRule | null): RequesterRule | null {
  if (first === 'verified' || other === 'verified') return 'verified';
  return first === 'any' ? other : first;
}

function bothTell(first: ChatTerms | null, other: ChatTerms | null): ChatTerms | null {
  return first && other && { to: first.to, vote: first.vote && other.vote };
}

/** Only in the ways that both permit, and urgent if it is for one of them. */
function bothNotify(first: NotifyTerms | null, other: NotifyTerms | null): NotifyTerms | null {
  if (first === null || other === null) return first ?? other;
  const channels =
    first.channels === null || other.channels === null
      ? (first.channels ?? other.channels)
      : first.channels.filter((channel) => other.channels?.includes(channel));
  return { channels, urgent: first.urgent || other.urgent };
}

export function higherRisk<T extends Risk | null>(first: T, other: T): T {
  if (first === null) return other;
  return other !== null && risks.indexOf(other) > risks.indexOf(first) ? other : first;
}

const longer = (first: number | null, other: number | null): number | null =>
  first === null || other === null ? (first ?? other) : Math.max(first, other);

function shorter(first: number | null, other: number | null): number | null {
  return first === null || other === null ? (first ?? other) : Math.min(first, other);
}
