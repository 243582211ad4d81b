import { Button, PasswordInput } from '@mantine/core';
import { useRef, useState, type SubmitEvent } from 'react';
import { setPassword, useEntrance } from './PasswordForm.tsx';
import { minPasswordLength } from '../../people/users/administrator.ts';
import { fieldFaults } from '../../ui/field-faults.ts';
import { LinkFailure, LinkPage } from '../../shell/PlainPage.tsx';
import { newPassword } from '../../ui/words/words.ts';
import { words } from './words/words.ts';

function NewPasswordForm({ link }: { link: string }) {
  const [password, setDraft] = useState('');
  const [isTried, setIsTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const save = useEntrance(setPassword);
  const length = [...password].length;
  const isShort = length < minPasswordLength;
  const fault = isTried && isShort ? newPassword.tooShort(length) : fieldFaults(save.error)['password'];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isShort) return input.current?.focus();
    save.mutate({ link, password }, { onError: () => input.current?.focus() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <p>{words.note}</p>
      {save.isError && fault === undefined && <LinkFailure error={save.error} words={words} />}
      <PasswordInput
        ref={input}
        label={newPassword.label}
        description={newPassword.rule}
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

/** Page for the link that an administrator hands over. */
export const PasswordPage = () => <LinkPage words={words}>{(link) => <NewPasswordForm link={link} />}</LinkPage>;
