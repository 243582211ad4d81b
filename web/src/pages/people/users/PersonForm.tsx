import { TextInput } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import type { ChangePerson, PersonEntry } from '../../../../../src/contract/people/people.ts';
import { changePerson } from '../../../api/directory.ts';
import { fieldFaults } from '../../../lib/field-faults.ts';
import { may, mayOfOthers } from '../../../lib/permission-table.ts';
import { usePerson } from '../../../lib/use-person.ts';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { readDraft, startDraft } from './person-draft.ts';
import { PowerFields } from './PowerFields.tsx';
import { useSave } from '../use-save.ts';
import { person as words, words as shared } from '../words.ts';

export function PersonForm({ person, people }: { person: PersonEntry; people: PersonEntry[] }) {
  const me = usePerson();
  const permission = may(me, 'change-people');
  const ofPower = permission.allowed ? mayOfOthers(me, 'change-people', person.id) : { allowed: false, reason: null };
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
      <TextInput
        label={words.name}
        description={words.nameNote}
        value={draft.name}
        error={faults['name']}
        disabled={!permission.allowed}
        onChange={(event) => set({ name: event.currentTarget.value })}
        autoComplete="off"
      />
      <PowerFields {...{ person, people, draft, set, faults, permission: ofPower }} />
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
      <Reason id={id} permission={permission} />
    </form>
  );
}
