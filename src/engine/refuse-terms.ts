import { Problem } from '../model/problem.ts';
import { matchesGlob } from '../policy/glob.ts';
import type { JustificationRule } from '../policy/policy-document.ts';
import type { Verdict } from '../policy/verdict.ts';
import { builtInPolicy } from '../policy/built-in-policy.ts';
import type { Judgement } from './judge-question.ts';
import type { OpenRequest } from './open-request.ts';

/** Refuses what the policy would never let through: a reason that is missing, a start it does not permit, nobody to ask. */
export function refuseTerms({ verdict, shortage }: Judgement, request: OpenRequest, deadlineAt: number): void {
  if (verdict.outcome !== 'require') return;
  refuseReason(verdict, request);
  refuseStart(verdict, request, deadlineAt);
  // While no policy is written, somebody who may decide can still be added in time.
  if (shortage !== null && verdict.policy !== builtInPolicy) throw new Problem('unsatisfiable', { detail: shortage });
}

function refuseReason({ justification, policy }: Verdict, { reason = '' }: OpenRequest): void {
  const missing = justification.requester.filter((rule) => !isJustified(rule, reason));
  if (missing.length === 0) return;
  const errors = missing.map((rule) => ({ path: ['reason'], message: `${policy} asks for ${sayRule(rule)}.` }));
  throw new Problem('INVALID_INPUT', { errors });
}

/** Does this text say what the rule asks for? */
export const isJustified = ({ minLength, like }: JustificationRule, text: string): boolean =>
  text.trim().length >= minLength && (like === null || matchesGlob(text.trim(), like));

export const sayRule = ({ minLength, like }: JustificationRule): string =>
  `a reason of at least ${minLength} characters${like === null ? '' : ` that fits ${like}`}`;

function refuseStart(
  { notBefore: isPermitted, policy }: Verdict,
  { notBefore }: OpenRequest,
  deadlineAt: number,
): void {
  const wrong = (message: string) => new Problem('INVALID_INPUT', { errors: [{ path: ['notBefore'], message }] });
  if (notBefore === undefined) return;
  if (!isPermitted && policy !== builtInPolicy) throw wrong(`${policy} lets nobody set a start.`);
  if (notBefore >= deadlineAt) throw wrong('It must start before the deadline.');
}
