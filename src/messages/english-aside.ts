import type { Risk } from '#requests/asking/contract/elicitation';
import type { PolicyAside } from '#policies/contract/policy';
import { formatsIn } from '#platform/text/formats';

const { all } = formatsIn('en');

/** Why a policy that was tried does not decide a call, and what to do about it. */
export const formatAside = (aside: PolicyAside): string => `This policy doesn’t count here: ${because(aside)}`;

function because(aside: PolicyAside): string {
  switch (aside.kind) {
    case 'other-calls':
      return 'its match is about other calls.';
    case 'condition':
      return aside.clauses.length === 0 ? 'its condition is false.' : `this is false: ${all(aside.clauses)}.`;
    case 'failed':
      return `its condition couldn’t be evaluated. ${aside.failure}`;
    case 'ceiling':
      return `it reaches ${risks[aside.ceiling]} risk, and this call is ${risks[aside.risk]} risk. To include it, write: ceiling: ${aside.risk}`;
    case 'other-failed':
      return `nothing runs unasked while ${aside.policy} can’t be evaluated.`;
    case 'outranked':
      return `${aside.policy} decides.`;
  }
}

const risks: Record<Risk, string> = { low: 'low', medium: 'medium', high: 'high' };
