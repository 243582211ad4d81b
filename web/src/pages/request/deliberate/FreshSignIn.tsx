import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { confirmPassword } from '../../../api/session.ts';
import { useAnnounce } from '../../../lib/announcer.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice.tsx';
import { fresh as words } from '../words/words.ts';

/** The policy wants a password typed lately. Proving it decides nothing: the verb is pressed again afterwards. */
export function FreshSignIn({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('');
  const announce = useAnnounce();
  const confirm = useMutation({
    mutationFn: () => confirmPassword({ password }),
    onSuccess: () => {
      announce(words.done);
      onDone();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (password !== '') confirm.mutate();
  };
  return (
    <div role="alert">
      <Notice tone="warn" title={words.title}>
        <p>{words.note}</p>
        <form onSubmit={submit} noValidate>
          {confirm.isError && <ProblemNotice error={confirm.error} />}
          <PasswordInput
            label={words.password}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            mb="xs"
          />
          <Button type="submit" variant="default" loading={confirm.isPending}>
            {words.confirm}
          </Button>
        </form>
      </Notice>
    </div>
  );
}
