import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState, type SubmitEvent } from 'react';
import { Problem } from '#platform/model/problem';
import { formatProblem } from '../../../ui/Notice/format-problem.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import type { SignInMutation } from './use-sign-in.ts';
import { failures, words } from '../words/sign-in/words.ts';

interface PasswordFormProps {
  enter: SignInMutation;
  /** Sentences for some problems. */
  own?: typeof failures;
  /** Another way comes first. */
  isSecond?: boolean;
}

export function PasswordForm({ enter, own = failures, isSecond = false }: PasswordFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isTried, setIsTried] = useState(false);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (email.trim() === '') return emailInput.current?.focus();
    if (password === '') return passwordInput.current?.focus();
    enter.mutate({ email: email.trim(), password }, { onError: () => passwordInput.current?.focus() });
  };
  return (
    <form onSubmit={submit} noValidate>
      {enter.isError && 'email' in enter.variables && <Failure error={enter.error} own={own} />}
      <TextInput
        ref={emailInput}
        label={words.email}
        type="email"
        name="email"
        autoComplete="username"
        size="md"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={isTried && email.trim() === '' && words.emailMissing}
      />
      <PasswordInput
        ref={passwordInput}
        label={words.password}
        name="password"
        autoComplete="current-password"
        size="md"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isTried && password === '' && words.passwordMissing}
      />
      <Button type="submit" variant={isSecond ? 'default' : 'filled'} size="md" loading={enter.isPending}>
        {words.submit}
      </Button>
    </form>
  );
}

function Failure({ error, own }: { error: unknown; own: typeof failures }) {
  const sentence = error instanceof Problem ? (own[error.code] ?? formatProblem(error)) : own.unavailable;
  return (
    <div role="alert">
      <Notice tone="danger" title={sentence} />
    </div>
  );
}
