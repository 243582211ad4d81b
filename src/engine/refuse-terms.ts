import { Problem } from '../model/problem.ts';
import { refuseJustification } from '../policy/justification.ts';
import type { Verdict } from '../policy/verdict.ts';
import { builtInPolicy } from '../policy/built-in-policy.ts';
import type { Judgement } from './judge-question.ts';
import type { OpenRequest } from './open-request.ts';

/** Refuses what the policy would never let through: a reason that is missing, a start it does not permit, nobody to ask. */
export function refuseTerms({ verdict, shortage }: Judgement, request: OpenRequest, deadlineAt: number): void {
  if (verdict.outcome === 'allow' && request.notBefore !== undefined) throw startsAtOnce(verdict);
  if (verdict.outcome !== 'require') return;
  refuseReason(verdict, request);
  refuseStart(verdict, request, deadlineAt);
  // While no policy is written, somebody who may decide can still be added in time.
  if (shortage !== null && verdict.policy !== builtInPolicy) throw new Problem('unsatisfiable', { detail: shortage });
}

/** What nobody approves has nobody to hold it until its time. */
const startsAtOnce = ({ policy }: Verdict): Problem =>
  new Problem('INVALID_INPUT', {
    errors: [{ path: ['notBefore'], message: `${policy} allows it at once. Ask when it is time.` }],
  });

function refuseReason({ justification }: Verdict, { reason }: OpenRequest): void {
  const message = refuseJustification(justification.requester, reason ?? null);
  if (message) throw new Problem('INVALID_INPUT', { errors: [{ path: ['reason'], message }] });
}

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
