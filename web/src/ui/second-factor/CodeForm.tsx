import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { isProblemOf } from '../../api/api-problem.ts';
import { confirmByCode } from '../../api/second-factor.ts';
import { useAnnounce } from '../../lib/announcer.tsx';
import { fieldFaults } from '../../lib/field-faults.ts';
import { FreshSignInOrProblem } from '../FreshSignIn.tsx';
import { Notice } from '../Notice.tsx';
import { factor as words } from '../words/factor-words.ts';
import { CodeField } from './CodeField.tsx';

/** Proves a second factor by a code. */
export function CodeForm({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const announce = useAnnounce();
  const confirm = useMutation({
    mutationFn: () => confirmByCode({ code: code.trim() }),
    onSuccess: () => {
      announce(words.proven);
      onDone();
    },
    onError: () => input.current?.focus(),
  });
  const isWrong = 'code' in fieldFaults(confirm.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (code.trim() === '') return input.current?.focus();
    confirm.mutate();
  };
  return (
    <>
      {confirm.isError && !isWrong && <CodeProblem error={confirm.error} onDone={confirm.reset} />}
      <form onSubmit={submit} noValidate>
        <CodeField
          ref={input}
          label={words.code}
          note={words.codeNote}
          value={code}
          onChange={setCode}
          error={(isWrong && words.codeWrong) || (isTried && code.trim() === '' && words.codeMissing)}
        />
        <Button type="submit" size="md" mt="sm" loading={confirm.isPending}>
          {words.confirm}
        </Button>
      </form>
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
