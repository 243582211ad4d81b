import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { changePassword } from '../account.ts';
import { minPasswordLength } from '../../../people/users/administrator.ts';
import { fieldFaults, textFields } from '../../../ui/field-faults.ts';
import { FreshFactorsOrProblem } from '../../factors/FreshFactor.tsx';
import page from '../../../ui/Page.module.css';
import { newPassword } from '../../../ui/words/words.ts';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { useAccountChange } from '../AccountSections/account-queries.ts';
import { keepPush } from '../AccountSections/own-push.ts';
import { password as words } from '../words/words/words.ts';

const empty = { current: '', password: '' };

/** Another password for someone who knows the current one. */
export function PasswordSection() {
  const { field, save, submit } = usePasswordForm();
  return (
    <AccountSection name="password" title={words.title} note={words.note}>
      {save.isError && Object.keys(fieldFaults(save.error)).length === 0 && (
        <FreshFactorsOrProblem error={save.error} onDone={save.reset} />
      )}
      <form onSubmit={submit} className={page.form} noValidate>
        <PasswordInput {...field('current')} label={words.current} autoComplete="current-password" />
        <PasswordInput
          {...field('password')}
          label={words.next}
          description={newPassword.rule}
          autoComplete="new-password"
        />
        <div className={page.actions}>
          <Button type="submit" variant="default" loading={save.isPending}>
            {words.submit}
          </Button>
          {save.isSuccess && <span className={page.soft}>{words.changed}</span>}
        </div>
      </form>
    </AccountSection>
  );
}

function usePasswordForm() {
  const [draft, setDraft] = useState(empty);
  const [isTried, setIsTried] = useState(false);
  const queries = useQueryClient();
  const save = useAccountChange(changePassword, words.changed);
  const faults = { ...fieldFaults(save.error), ...(isTried && missing(draft)) };
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), faults);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (Object.keys(missing(draft)).length > 0) return;
    save.mutate(draft, {
      onSuccess: async () => {
        setDraft(empty);
        setIsTried(false);
        await keepPush();
        await queries.invalidateQueries({ queryKey: ['account'] });
      },
    });
  };
  return { field, save, submit };
}

function missing({ current, password }: typeof empty): Partial<typeof empty> {
  const length = [...password].length;
  return {
    ...(current === '' && { current: words.currentMissing }),
    ...(length < minPasswordLength && { password: newPassword.tooShort(length) }),
  };
}
