import { Problem, type FieldError } from '#platform/model/problem';
import { faultOfJustification } from '../../../document/rules/stages/justification.ts';
import type { Verdict } from '../../../document/rules/verdict/verdict.ts';
import { builtInPolicy } from '../../../document/rules/verdict/built-in-policy.ts';
import type { Judgement } from './judge-question.ts';

/** The parts of a request that a policy's terms cover. */
interface Asked {
  reason?: string | null | undefined;
  notBefore?: number | null | undefined;
}

/**
 * Refuses a request that the policy would never accept: a missing reason, a start it does not permit, or no one to ask.
 */
export function assertTermsMet({ verdict, shortage }: Judgement, request: Asked, deadlineAt: number): void {
  const fault = termsFault(verdict, request, deadlineAt);
  if (fault) throw new Problem('INVALID_INPUT', { errors: [fault] });
  // Without any policy, an approver can still be added in time.
  if (shortage !== null && verdict.outcome === 'require' && verdict.policy !== builtInPolicy)
    throw new Problem('unsatisfiable', { detail: shortage.outline });
}

/** Which part of the request does not meet the terms of its policy, and why; null if all do. */
export function termsFault(verdict: Verdict, { reason, notBefore }: Asked, deadlineAt: number): FieldError | null {
  const { outcome, justification } = verdict;
  if (outcome === 'deny') return null;
  const unexplained = outcome === 'require' ? faultOfJustification(justification.requester, reason ?? null) : null;
  if (unexplained !== null) return { path: ['reason'], message: unexplained };
  const message = typeof notBefore === 'number' ? refuseStart(verdict, notBefore, deadlineAt) : null;
  return message === null ? null : { path: ['notBefore'], message };
}

function refuseStart({ outcome, notBefore, policy }: Verdict, startAt: number, deadlineAt: number): string | null {
  // Without approval, nothing would delay the call until its start.
  if (outcome === 'allow') return `Ask when it is time: ${policy} allows this at once.`;
  if (!notBefore && policy !== builtInPolicy) return `Leave the start out: ${policy} does not permit one.`;
  return startAt >= deadlineAt ? 'Choose a time before the deadline.' : null;
}
