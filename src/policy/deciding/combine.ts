import { risks, type Risk } from '../../model/elicitation.ts';
import type { RequesterRule } from '../../model/policy.ts';
import type { ChatTerms } from '../terms/policy-document.ts';
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
    editable: null,
    facts: first.facts.length > 0 ? first.facts : second.facts,
    undo: longer(first.undo, second.undo),
    grant: null,
    chat: bothTell(first.chat, second.chat),
  };
}

/** The default is stricter than `any`, and less strict than `verified`. */
function stricterRequester(one: RequesterRule | null, other: RequesterRule | null): RequesterRule | null {
  if (one === 'verified' || other === 'verified') return 'verified';
  return one === 'any' ? other : one;
}

function bothTell(one: ChatTerms | null, other: ChatTerms | null): ChatTerms | null {
  return one && other && { to: one.to, vote: one.vote && other.vote };
}

export function higherRisk<T extends Risk | null>(one: T, other: T): T {
  if (one === null) return other;
  return other !== null && risks.indexOf(other) > risks.indexOf(one) ? other : one;
}

const longer = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

function shorter(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
