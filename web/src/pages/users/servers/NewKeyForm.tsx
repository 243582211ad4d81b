import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { NewKey } from '#protocol/contract/users/key';
import { createKey } from '../../../api/keys.ts';
import { useDraft } from '../../../lib/carried-text.ts';
import { serversQuery } from '../../../lib/directory-queries.ts';
import { commaList } from '../../../lib/comma-list.ts';
import { faultIn, fieldFaults } from '../../../lib/field-faults.ts';
import { useMayIn } from '../../../lib/space-permission.ts';
import page from '../../../ui/page/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { ShownOnce } from '../ShownOnce.tsx';
import { ChangeNotice } from '../../../ui/ChangeNotice.tsx';
import { SavingForm } from '../SavingForm.tsx';
import { useSave } from '../use-save.ts';
import { keys as words } from '../words/words.ts';

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
  const change = (part: Partial<typeof empty>) => setDraft({ ...draft, ...part });
  const create = useSave(() => createKey(keyOf(draft, Date.now())), words.madeOne);
  const faults = fieldFaults(create.error);
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
        value={draft.server}
        error={faults['server']}
        list={id}
        onChange={(event) => change({ server: event.currentTarget.value })}
        autoComplete="off"
      />
      <datalist id={id}>
        {servers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <LimitFields draft={draft} faults={faults} onChange={change} />
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
  draft: typeof empty;
  faults: Partial<Record<string, string>>;
  onChange: (part: Partial<typeof empty>) => void;
}

/** Until when the key is good, for which tools and from where. */
const LimitFields = ({ draft, faults, onChange }: LimitFieldsProps) => (
  <>
    <NativeSelect
      label={words.expires}
      description={words.expiresNote}
      value={draft.days}
      error={faults['expiresAt']}
      data={[
        { value: '', label: words.expiresNever },
        ...[30, 90, 365].map((days) => ({ value: String(days), label: words.expiresIn(days) })),
      ]}
      onChange={(event) => onChange({ days: event.currentTarget.value })}
    />
    <TextInput
      label={words.forTools}
      description={words.forToolsNote}
      value={draft.tools}
      error={faultIn(faults, 'tools')}
      onChange={(event) => onChange({ tools: event.currentTarget.value })}
      autoComplete="off"
    />
    <TextInput
      label={words.forNetworks}
      description={words.forNetworksNote}
      value={draft.networks}
      error={faultIn(faults, 'networks')}
      onChange={(event) => onChange({ networks: event.currentTarget.value })}
      autoComplete="off"
    />
  </>
);
