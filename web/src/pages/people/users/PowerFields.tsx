import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Permission } from '../../../../../src/contract/console/console.ts';
import type { PersonEntry } from '../../../../../src/contract/people/people.ts';
import { roles, type Role } from '../../../../../src/model/person.ts';
import { usePerson } from '../../../lib/use-person.ts';
import page from '../../../ui/Page.module.css';
import { Reason } from '../../../ui/ReasonedButton.tsx';
import { roleNames } from '../../../ui/words.ts';
import { personChoices } from '../person-choices.ts';
import type { PersonDraft } from './person-draft.ts';
import { person as words, words as shared } from '../words.ts';

interface PowerFieldsProps {
  person: PersonEntry;
  people: PersonEntry[];
  draft: PersonDraft;
  set: (part: Partial<PersonDraft>) => void;
  faults: Partial<Record<string, string>>;
  permission: Permission;
}

/** What decides on whose requests somebody votes, and who votes on theirs: for everybody but oneself. */
export function PowerFields({ person, people, draft, set, faults, permission }: PowerFieldsProps) {
  const isOff = !permission.allowed;
  const isOwn = permission.reason !== null; // what is one's own can be given up
  const me = usePerson()?.id;
  const others = people.filter(({ id }) => id !== person.id);
  const id = useId();
  return (
    <fieldset className={page.form} {...(isOff && { 'aria-describedby': id })}>
      <Reason id={id} permission={permission} />
      <NativeSelect
        label={words.role}
        description={words.roleNotes[draft.role]}
        value={draft.role}
        error={faults['role']}
        disabled={isOff}
        data={roles.map((value) => ({ value, label: roleNames[value] }))}
        onChange={(event) => set({ role: event.currentTarget.value as Role })}
      />
      <NativeSelect
        label={words.manager}
        description={words.managerNote}
        value={draft.managerId}
        error={faults['managerId']}
        disabled={isOff}
        data={[{ value: '', label: shared.none }, ...personChoices({ people: others, chosen: person.managerId, me })]}
        onChange={(event) => set({ managerId: event.currentTarget.value })}
      />
      <Textarea
        label={words.subjects}
        description={words.subjectsNote}
        value={draft.subjects}
        error={faults['subjects']}
        disabled={isOff}
        rows={3}
        spellCheck={false}
        onChange={(event) => set({ subjects: event.currentTarget.value })}
      />
      <TextInput
        label={words.slack}
        description={words.slackNote}
        value={draft.slackId}
        error={faults['slackId']}
        disabled={isOff && !(isOwn && person.slackId !== null)}
        onChange={(event) => set({ slackId: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
      />
      <Checkbox
        label={words.breakGlass}
        description={words.breakGlassNote}
        checked={draft.mayBreakGlass}
        disabled={isOff && !(isOwn && person.mayBreakGlass)}
        onChange={(event) => set({ mayBreakGlass: event.currentTarget.checked })}
      />
      <Checkbox
        label={words.disabled}
        description={words.disabledNote}
        checked={draft.disabled}
        disabled={isOff}
        onChange={(event) => set({ disabled: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
