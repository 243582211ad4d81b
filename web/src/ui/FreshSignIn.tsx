import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { beginPasskeyConfirmation, confirmByPasskey } from '../api/passkeys.ts';
import { confirmPassword } from '../api/session.ts';
import { useAnnounce } from '../lib/announcer.tsx';
import { hasPasskeys, NotSigned, signWithPasskey } from '../lib/passkey.ts';
import { Notice, ProblemNotice } from './Notice.tsx';
import { fresh as words, passkeys } from './words/passkey-words.ts';
import page from './page/Page.module.css';

/** Asks for the password or a passkey again. Proving it does nothing else: the person presses the same button afterwards. */
export function FreshSignIn({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('');
  const announce = useAnnounce();
  const confirm = useMutation({
    mutationFn: async (by: 'password' | 'passkey') =>
      by === 'password'
        ? confirmPassword({ password })
        : confirmByPasskey(await signWithPasskey(await beginPasskeyConfirmation())),
    onSuccess: () => {
      announce(words.done);
      onDone();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (password !== '') confirm.mutate('password');
  };
  return (
    <div role="alert">
      <Notice tone="warn" title={words.title}>
        <p>{words.note}</p>
        <form onSubmit={submit} noValidate>
          {confirm.isError && <SigningProblem error={confirm.error} />}
          <PasswordInput
            label={words.password}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            mb="xs"
          />
          <div className={page.actions}>
            <Button type="submit" variant="default" loading={confirm.isPending && confirm.variables === 'password'}>
              {words.confirm}
            </Button>
            {hasPasskeys() && (
              <Button
                variant="default"
                loading={confirm.isPending && confirm.variables === 'passkey'}
                onClick={() => confirm.mutate('passkey')}
              >
                {words.byPasskey}
              </Button>
            )}
          </div>
        </form>
      </Notice>
    </div>
  );
}

/** What went wrong with a passkey, also on the device. */
export function SigningProblem({ error }: { error: unknown }) {
  if (!(error instanceof NotSigned)) return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="warn" title={passkeys.notSigned} />
    </div>
  );
}
