import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { isProblemOf } from '../../api/api-problem.ts';
import { setPassword } from '../../api/session.ts';
import { shortestPassword } from '../../lib/administrator.ts';
import { fieldFaults } from '../../lib/field-faults.ts';
import { sessionQuery } from '../../lib/queries.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { words } from './words.ts';

export function NewPasswordForm({ link }: { link: string }) {
  const [password, setDraft] = useState('');
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const save = useSetPassword();
  const length = [...password].length;
  const isShort = length < shortestPassword;
  const fault = isTried && isShort ? words.tooShort(length) : fieldFaults(save.error)['password'];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isShort) return input.current?.focus();
    save.mutate({ link, password }, { onError: () => input.current?.focus() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <p>{words.note}</p>
      {save.isError && fault === undefined && <Failure error={save.error} />}
      <PasswordInput
        ref={input}
        label={words.password}
        description={words.rule}
        name="password"
        autoComplete="new-password"
        size="md"
        value={password}
        onChange={(event) => setDraft(event.currentTarget.value)}
        error={fault}
      />
      <Button type="submit" size="md" loading={save.isPending}>
        {words.submit}
      </Button>
    </form>
  );
}

function useSetPassword() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: setPassword,
    onSuccess: async (signedIn) => {
      queries.setQueryData(sessionQuery.queryKey, signedIn);
      await navigate('/inbox', { replace: true });
    },
  });
}

function Failure({ error }: { error: unknown }) {
  if (!isProblemOf(error, 'token-invalid')) return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="danger" title={words.linkFailed}>
        <p>{words.linkFailedNote}</p>
      </Notice>
    </div>
  );
}
