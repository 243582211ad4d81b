import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import type { ChangePerson, PersonEntry } from '../../../../src/contract/people.ts';
import { roles, type Role } from '../../../../src/model/person.ts';
import { changePerson } from '../../api/directory.ts';
import { fieldFaults } from '../../lib/field-faults.ts';
import { may } from '../../lib/permission-table.ts';
import { usePerson } from '../../lib/use-person.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { roleNames } from '../../ui/words.ts';
import { useSave } from './use-save.ts';
import { person as words, words as shared } from './words.ts';

export function PersonForm({ person, people }: { person: PersonEntry; people: PersonEntry[] }) {
  const permission = may(usePerson(), 'change-people');
  const [draft, setDraft] = useState(() => startDraft(person));
  const save = useSave((body: ChangePerson) => changePerson(person.id, body));
  const faults = fieldFaults(save.error);
  const id = useId();
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed) save.mutate(readDraft(draft));
  };
  return (
    <form onSubmit={submit} className={page.form} noValidate aria-label={words.title}>
      {save.isError && <ProblemNotice error={save.error} />}
      <fieldset disabled={!permission.allowed} className={page.form}>
        <TextInput
          label={words.name}
          description={words.nameNote}
          value={draft.name}
          error={faults['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
          autoComplete="off"
        />
        <NativeSelect
          label={words.role}
          description={words.roleNotes[draft.role]}
          value={draft.role}
          error={faults['role']}
          data={roles.map((value) => ({ value, label: roleNames[value] }))}
          onChange={(event) => set({ role: event.currentTarget.value as Role })}
        />
        <NativeSelect
          label={words.manager}
          description={words.managerNote}
          value={draft.managerId}
          error={faults['managerId']}
          data={[{ value: '', label: shared.none }, ...namesBut(person, people)]}
          onChange={(event) => set({ managerId: event.currentTarget.value })}
        />
        <Textarea
          label={words.subjects}
          description={words.subjectsNote}
          value={draft.subjects}
          error={faults['subjects']}
          rows={3}
          spellCheck={false}
          onChange={(event) => set({ subjects: event.currentTarget.value })}
        />
        <TextInput
          label={words.slack}
          description={words.slackNote}
          value={draft.slackId}
          error={faults['slackId']}
          onChange={(event) => set({ slackId: event.currentTarget.value })}
          spellCheck={false}
          autoComplete="off"
        />
        <Checkbox
          label={words.breakGlass}
          description={words.breakGlassNote}
          checked={draft.mayBreakGlass}
          onChange={(event) => set({ mayBreakGlass: event.currentTarget.checked })}
        />
        <Checkbox
          label={words.disabled}
          description={words.disabledNote}
          checked={draft.disabled}
          onChange={(event) => set({ disabled: event.currentTarget.checked })}
        />
      </fieldset>
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={save.isPending}
          onPress={() => save.mutate(readDraft(draft))}
        >
          {shared.save}
        </ReasonedButton>
        {save.isSuccess && <span className={page.soft}>{shared.saved}</span>}
      </div>
      {permission.reason !== null && (
        <p id={id} className={page.reason}>
          {permission.reason}
        </p>
      )}
    </form>
  );
}

const startDraft = ({ name, role, managerId, subjects, slackId, mayBreakGlass, disabledAt }: PersonEntry) => ({
  name,
  role,
  managerId: managerId ?? '',
  subjects: subjects.join('\n'),
  slackId: slackId ?? '',
  mayBreakGlass,
  disabled: disabledAt !== null,
});

function readDraft({ managerId, subjects, slackId, ...rest }: ReturnType<typeof startDraft>): ChangePerson {
  const names = subjects
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return { ...rest, managerId: orNull(managerId), slackId: orNull(slackId), subjects: names };
}

const namesBut = ({ id, managerId }: PersonEntry, people: PersonEntry[]) =>
  people
    .filter((one) => one.id !== id && (one.disabledAt === null || one.id === managerId))
    .map((one) => ({ value: one.id, label: `${one.name} (${one.email})` }));
