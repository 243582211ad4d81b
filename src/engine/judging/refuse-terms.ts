import { Problem, type FieldError } from '../../model/problem.ts';
import { refuseJustification } from '../../policy/terms/justification.ts';
import type { Verdict } from '../../policy/terms/verdict.ts';
import { builtInPolicy } from '../../policy/terms/built-in-policy.ts';
import type { Judgement } from './judge-question.ts';

/** What of a request the terms of a policy are about. */
interface Asked {
  reason?: string | null | undefined;
  notBefore?: number | null | undefined;
}

/** Refuses what the policy would never let through: a reason that is missing, a start it does not permit, no one to ask. */
export function refuseTerms({ verdict, shortage }: Judgement, asked: Asked, deadlineAt: number): void {
  const fault = termsFault(verdict, asked, deadlineAt);
  if (fault) throw new Problem('INVALID_INPUT', { errors: [fault] });
  // While no policy is written, someone who may decide can still be added in time.
  if (shortage !== null && verdict.outcome === 'require' && verdict.policy !== builtInPolicy)
    throw new Problem('unsatisfiable', { detail: shortage.outline });
}

/** Which part of the request does not meet the terms of the policy that decides it, and why; null where all do. */
export function termsFault(verdict: Verdict, { reason, notBefore }: Asked, deadlineAt: number): FieldError | null {
  const { outcome, justification } = verdict;
  if (outcome === 'deny') return null;
  const unexplained = outcome === 'require' ? refuseJustification(justification.requester, reason ?? null) : null;
  if (unexplained !== null) return { path: ['reason'], message: unexplained };
  const message = typeof notBefore === 'number' ? refuseStart(verdict, notBefore, deadlineAt) : null;
  return message === null ? null : { path: ['notBefore'], message };
}

function refuseStart({ outcome, notBefore, policy }: Verdict, startAt: number, deadlineAt: number): string | null {
  // What no one approves has no one to hold it until its time.
  if (outcome === 'allow') return `${policy} allows it at once. Ask when it is time.`;
  if (!notBefore && policy !== builtInPolicy) return `${policy} lets no one set a start.`;
  return startAt >= deadlineAt ? 'It must start before the deadline.' : null;
}
