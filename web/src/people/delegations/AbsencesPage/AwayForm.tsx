import { may } from '#people/directory/contract/permission';
import { useDraft } from '../../../ui/carried-text.ts';
import { commaList } from '../../../ui/comma-list.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { delegate } from '../../users/directory.ts';
import type { NewDelegation } from '#people/delegations/contract';
import { usersQuery } from '../../users/directory-queries.ts';
import { fieldFaults, textFields } from '../../../ui/field-faults.ts';
import { describeTimeZone } from '../../../ui/local-time.ts';
import { useUser } from '../../users/use-user.ts';
import { FreshFactorsOrProblem } from '../../../access/factors/FreshFactor.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { chooseUser } from '../../../ui/words/words.ts';
import classes from '../../../settings/Users.module.css';
import { useSave } from '../../../settings/use-save.ts';
import { away as words } from '../../../settings/words/words.ts';

const empty = { toId: '', startsAt: '', endsAt: '', policies: '', note: '' };

/** "I'm away": who votes for me, and from when until when. */
export function AwayForm() {
  const me = useUser();
  const users = useQuery(usersQuery).data ?? [];
  const { field, save, send } = useAwayForm();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.form}</h2>
      {save.isError && Object.keys(fieldFaults(save.error)).length === 0 && (
        <FreshFactorsOrProblem error={save.error} onDone={save.reset} />
      )}
      <form onSubmit={submit} className={page.form} noValidate>
        <NativeSelect
          {...field('toId')}
          label={words.to}
          description={words.toNote}
          data={[
            { value: '', label: chooseUser },
            ...users
              .filter((other) => other.id !== me?.id && other.disabledAt === null && may(other, 'decide'))
              .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
          ]}
        />
        <div className={classes.two}>
          <TextInput {...field('startsAt')} type="datetime-local" label={words.from} description={words.fromNote} />
          <TextInput
            {...field('endsAt')}
            type="datetime-local"
            label={words.until}
            description={describeTimeZone(field('endsAt').value)}
          />
        </div>
        <TextInput {...field('policies')} label={words.policies} description={words.policiesNote} autoComplete="off" />
        <TextInput {...field('note')} label={words.note} autoComplete="off" />
        <div className={page.actions}>
          <ReasonedButton {...allowed} isSending={save.isPending} onPress={send}>
            {words.submit}
          </ReasonedButton>
          {save.isSuccess && <span className={page.soft}>{words.handedOver}</span>}
        </div>
      </form>
    </section>
  );
}

/** What was typed, what is missing of it, and sending it. */
function useAwayForm() {
  const [draft, setDraft] = useDraft('away', empty);
  const [isTried, setIsTried] = useState(false);
  const save = useSave((body: NewDelegation) => delegate(body), words.handedOver);
  const faults = { ...fieldFaults(save.error), ...(isTried && missing(draft)) };
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), faults);
  const send = () => {
    setIsTried(true);
    if (Object.keys(missing(draft)).length > 0) return;
    save.mutate(readDraft(draft), {
      onSuccess: () => {
        setDraft(empty);
        setIsTried(false);
      },
    });
  };
  return { field, save, send };
}

function missing({ toId, endsAt }: typeof empty): Partial<Record<string, string>> {
  return { ...(toId === '' && { toId: words.toMissing }), ...(endsAt === '' && { endsAt: words.untilMissing }) };
}

function readDraft({ toId, startsAt, endsAt, policies, note }: typeof empty): NewDelegation {
  const names = commaList(policies);
  return {
    toId,
    endsAt: new Date(endsAt).getTime(),
    ...(startsAt !== '' && { startsAt: new Date(startsAt).getTime() }),
    ...(names.length > 0 && { policies: names }),
    ...(note.trim() !== '' && { note: note.trim() }),
  };
}
