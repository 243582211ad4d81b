import { isProblemOf } from '../../api/api-problem.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { words } from './words.ts';

export function LinkFailure({ error }: { error: unknown }) {
  if (!isProblemOf(error, 'token-invalid') && !isProblemOf(error, 'unauthenticated'))
    return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="danger" title={words.linkFailed} />
    </div>
  );
}
