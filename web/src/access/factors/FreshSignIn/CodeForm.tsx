import { Button } from '@mantine/core';
import { isProblemOf } from '../../../client/call-api/api-problem.ts';
import { confirmByCode } from './second-factor.ts';
import { FreshSignInOrProblem } from './FreshSignIn.tsx';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { factor as words } from '../../../ui/words/factor-words.ts';
import { useProofForm } from './use-proof-form.tsx';
import { CodeField } from './CodeField.tsx';
import { useCode } from './use-code.ts';

/** Proves a second factor by a code. */
export function CodeForm({ onDone }: { onDone: () => void }) {
  const { field, submit, isSending, problem, reset } = useCode({
    send: (code) => confirmByCode({ code }),
    done: words.proven,
    onDone: () => onDone(),
  });
  const { id, form } = useProofForm(submit);
  return (
    <>
      {problem && <CodeProblem error={problem} onDone={reset} />}
      {form}
      <CodeField {...field} form={id} label={words.code} note={words.codeNote} />
      <Button type="submit" form={id} size="md" mt="sm" loading={isSending}>
        {words.confirm}
      </Button>
    </>
  );
}

function CodeProblem({ error, onDone }: { error: unknown; onDone: () => void }) {
  if (!isProblemOf(error, 'rate-limited')) return <FreshSignInOrProblem error={error} onDone={onDone} />;
  return (
    <div role="alert">
      <Notice tone="danger" title={words.wait} />
    </div>
  );
}
