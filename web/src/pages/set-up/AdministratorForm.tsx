import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { isProblemOf } from '../../api/api-problem.ts';
import { setUp } from '../../api/session.ts';
import { checkAdministrator, serverFaults, type Administrator } from '../../lib/administrator.ts';
import { sessionQuery } from '../../lib/queries.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { words } from './words.ts';

const empty: Administrator = { name: '', email: '', password: '' };

export function AdministratorForm({ link }: { link: string }) {
  const [draft, setDraft] = useState(empty);
  const [isTried, setIsTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const create = useSetUp();
  const faults = isTried ? { ...serverFaults(create.error), ...checkAdministrator(draft, words.faults) } : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    const [first] = Object.keys(checkAdministrator(draft, words.faults));
    if (first !== undefined) return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    create.mutate({ link, ...draft, email: draft.email.trim() });
  };
  const field = (name: keyof Administrator) => ({
    name,
    size: 'md' as const,
    value: draft[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setDraft((before) => ({ ...before, [name]: value }));
    },
    error: faults[name],
  });
  return (
    <form onSubmit={submit} noValidate ref={form}>
      <p>{words.note}</p>
      {create.isError && <Failure error={create.error} />}
      <TextInput {...field('name')} label={words.name} description={words.nameNote} autoComplete="name" />
      <TextInput {...field('email')} label={words.email} type="email" autoComplete="username" />
      <PasswordInput
        {...field('password')}
        label={words.password}
        description={words.rule}
        autoComplete="new-password"
      />
      <Button type="submit" size="md" loading={create.isPending}>
        {words.submit}
      </Button>
    </form>
  );
}

function useSetUp() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: setUp,
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
      <Notice tone="danger" title={words.linkFailed} />
    </div>
  );
}
