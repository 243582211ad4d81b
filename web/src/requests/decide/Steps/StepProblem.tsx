import { isProblemOf } from '../../../client/call-api.ts';
import { NotSigned } from '../../../access/passkeys/passkey.ts';
import { formatProblem } from '../../../ui/Notice/format-problem.ts';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { FreshSignIn, SigningProblem } from '../../../access/factors/FreshSignIn.tsx';
import { FreshFactorsOrProblem } from '../../../access/factors/FreshFactor.tsx';
import { shell } from '../../../ui/words/words.ts';
import { result } from '../words/words.ts';

/** What came back instead of a result. Errors of single fields are said at the fields. */
export function StepProblem({ decision }: { decision: DecisionState }) {
  const { problem, answer, tryAgain } = decision;
  if (problem === null) return null;
  if (isProblemOf(problem, 'fresh-sign-in-needed'))
    return <FreshSignIn onDone={tryAgain} acr={problem.refusal?.values?.['acr']} />;
  if (isProblemOf(problem, 'second-factor-needed')) return <FreshFactorsOrProblem error={problem} onDone={tryAgain} />;
  if (problem instanceof NotSigned) return <SigningProblem error={problem} />;
  const sentence = explain(decision);
  if (sentence === null) return <ProblemNotice error={problem} />;
  return (
    <div role="alert">
      <Notice tone="warn" title={sentence}>
        {answer.otherFaults.length > 0 && answer.otherFaults.join(' ')}
        {isProblemOf(problem, 'unauthenticated') && (
          <a href="/signin" target="_blank" rel="noopener">
            {shell.signInAgain}
          </a>
        )}
      </Notice>
    </div>
  );
}

function explain({ problem, isMissing }: DecisionState): string | null {
  if (isProblemOf(problem, 'already-closed')) return result.notCounted(formatProblem(problem));
  if (isProblemOf(problem, 'already-voted')) return result.alreadyVoted;
  if (isProblemOf(problem, 'unauthenticated')) return result.signedOut;
  if (isProblemOf(problem, 'unavailable')) return isMissing ? result.missing : result.unsure;
  if (isProblemOf(problem, 'digest-mismatch') || isProblemOf(problem, 'INVALID_INPUT')) return formatProblem(problem);
  return null;
}
