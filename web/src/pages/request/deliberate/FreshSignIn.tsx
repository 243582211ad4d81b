import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { NamedProvider } from '../../../../../src/contract/users/sign-in-provider.ts';
import { isProblemOf } from '../../../api/api-problem.ts';
import { goToProvider } from '../../../api/go-to-provider.ts';
import { confirmPassword } from '../../../api/session.ts';
import { useAnnounce } from '../../../lib/announcer.tsx';
import { useOwnProvider } from '../../../lib/use-user.ts';
import { Notice, ProblemNotice } from '../../../ui/Notice.tsx';
import { fresh as words } from '../words/words.ts';

/** The policy wants a recent proof of who this is. It decides nothing: the verb is pressed again afterwards. */
export function FreshSignIn({ onDone }: { onDone: () => void }) {
  const provider = useOwnProvider();
  return provider === null ? <ConfirmPassword onDone={onDone} /> : <ConfirmAtProvider provider={provider} />;
}

/** At the identity provider where they signed in, and back to this request. */
function ConfirmAtProvider({ provider: { key, name } }: { provider: NamedProvider }) {
  const go = useMutation({
    mutationFn: () => goToProvider({ key, way: 'confirm', returnTo: location.pathname + location.search }),
  });
  return (
    <div role="alert">
      <Notice tone="warn" title={words.atProvider(name)}>
        <p>{words.atProviderNote}</p>
        {go.isError && isProblemOf(go.error, 'unavailable') && <p>{words.providerDown(name)}</p>}
        {go.isError && !isProblemOf(go.error, 'unavailable') && <ProblemNotice error={go.error} />}
        <Button variant="default" loading={go.isPending} onClick={() => go.mutate()}>
          {words.goToProvider(name)}
        </Button>
      </Notice>
    </div>
  );
}

function ConfirmPassword({ onDone }: { onDone: () => void }) {
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
