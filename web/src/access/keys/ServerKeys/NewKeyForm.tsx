import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { serverNow } from '../../../client/call-api/call-api.ts';
import type { NewKey } from '#access/keys/contract/key';
import { createKey } from '../keys.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { serversQuery } from '../../../people/users/directory-queries.ts';
import { commaList } from '../../../ui/comma-list.ts';
import { faultIn, fieldFaults, textFields, type Faults } from '../../../ui/field-faults.ts';
import { useMayIn } from '../../../people/spaces/spaces/space-permission.ts';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { ShownOnce } from '../../../settings/ShownOnce.tsx';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { keys as words } from '../../../settings/words/words.ts';

const empty = { server: '', days: '', tools: '', networks: '' };

function keyOf({ server, days, ...lists }: typeof empty, now: number): NewKey {
  const [tools, networks] = [commaList(lists.tools), commaList(lists.networks)];
  return {
    server: server.trim(),
    ...(days !== '' && { expiresAt: now + Number(days) * 86_400_000 }),
    ...(tools.length > 0 && { tools }),
    ...(networks.length > 0 && { networks }),
  };
}

/** Makes a key for a server that is there, or for a new one. */
export function NewKeyForm() {
  const servers = useQuery(serversQuery).data ?? [];
  const [draft, setDraft] = useDraft('new-key', empty);
  const permission = useMayIn('change-keys')(servers.find(({ name }) => name === draft.server.trim())?.space);
  const create = useSave(() => createKey(keyOf(draft, serverNow())), words.madeOne);
  const faults = fieldFaults(create.error);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), faults);
  const id = useId();
  const reasonId = useId();
  const press = () => create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  return (
    <SavingForm error={create.error} onPress={press}>
      {create.data && (
        <ShownOnce
          title={words.give(create.data.server)}
          note={words.giveNote}
          label={words.shown}
          value={create.data.key}
        />
      )}
      <ChangeNotice change={create.data} />
      <TextInput
        label={words.forServer}
        description={words.forServerNote}
        {...field('server')}
        list={id}
        autoComplete="off"
      />
      <datalist id={id}>
        {servers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <LimitFields field={field} faults={faults} />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={reasonId} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
      <Reason id={reasonId} permission={permission} />
    </SavingForm>
  );
}

interface LimitFieldsProps {
  field: ReturnType<typeof textFields<typeof empty>>;
  faults: Faults;
}

/** Until when the key is good, for which tools and from where. */
const LimitFields = ({ field, faults }: LimitFieldsProps) => (
  <>
    <NativeSelect
      label={words.expires}
      description={words.expiresNote}
      {...field('days')}
      error={faults['expiresAt']}
      data={[
        { value: '', label: words.expiresNever },
        ...[30, 90, 365].map((days) => ({ value: String(days), label: words.expiresIn(days) })),
      ]}
    />
    <TextInput
      label={words.forTools}
      description={words.forToolsNote}
      {...field('tools')}
      error={faultIn(faults, 'tools')}
      autoComplete="off"
    />
    <TextInput
      label={words.forNetworks}
      description={words.forNetworksNote}
      {...field('networks')}
      error={faultIn(faults, 'networks')}
      autoComplete="off"
    />
  </>
);
