import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState, type SubmitEvent } from 'react';
import { setUp, useEntrance } from './PasswordForm.tsx';
import { checkAdministrator, serverFaults, type Administrator } from '../../people/users/administrator.ts';
import { LinkFailure, LinkPage } from '../../shell/PlainPage.tsx';
import { newPassword } from '../../ui/words/words.ts';
import { words } from './words/set-up/words.ts';

const empty: Administrator = { name: '', email: '', password: '' };

function AdministratorForm({ link }: { link: string }) {
  const [draft, setDraft] = useState(empty);
  const [isTried, setIsTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const create = useEntrance(setUp, '/start');
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
      {create.isError && <LinkFailure error={create.error} words={words} />}
      <TextInput {...field('name')} label={words.name} description={words.nameNote} autoComplete="name" />
      <TextInput {...field('email')} label={words.email} type="email" autoComplete="username" />
      <PasswordInput
        {...field('password')}
        label={newPassword.label}
        description={newPassword.rule}
        autoComplete="new-password"
      />
      <Button type="submit" size="md" loading={create.isPending}>
        {words.submit}
      </Button>
    </form>
  );
}

export const SetUpPage = () => <LinkPage words={words}>{(link) => <AdministratorForm link={link} />}</LinkPage>;
