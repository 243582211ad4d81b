import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { tokenPermissions, type TokenPermission } from '#people/directory/contract/permission';
import { createAdminToken } from '../../tokens/admin-tokens.ts';
import { serverNow } from '../../../client/call-api/call-api.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { commaList } from '../../../ui/comma-list.ts';
import { faultIn, fieldFaults, textFields, type Faults } from '../../../ui/field-faults.ts';
import { ChangeNotice } from '../../../people/changes/ChangeNotice.tsx';
import page from '../../../ui/Page.module.css';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { ShownOnce } from '../../../settings/ShownOnce.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { tokens as words } from '../../../settings/words/words.ts';

interface Draft {
  name: string;
  permissions: TokenPermission[];
  days: string;
  networks: string;
}

const empty: Draft = { name: '', permissions: [], days: '90', networks: '' };

const tokenOf = ({ name, permissions, days, networks }: Draft, now: number) => ({
  name: name.trim(),
  permissions,
  expiresAt: now + Number(days) * 86_400_000,
  networks: commaList(networks),
});

/** Makes a token, which is shown once. */
export function NewTokenForm() {
  const [draft, setDraft] = useDraft('new-token', empty);
  const create = useSave(() => createAdminToken(tokenOf(draft, serverNow())), words.madeOne);
  const faults = fieldFaults(create.error);
  const press = () => create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  return (
    <SavingForm error={create.error} onPress={press}>
      {create.data && (
        <ShownOnce
          title={words.give(create.data.name)}
          note={words.giveNote}
          label={words.shown}
          value={create.data.token}
        />
      )}
      <ChangeNotice change={create.data} />
      <Fields draft={draft} faults={faults} onChange={(part) => setDraft({ ...draft, ...part })} />
      <div className={page.actions}>
        <ReasonedButton {...allowed} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}

interface FieldsProps {
  draft: Draft;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
}

function Fields({ draft, faults, onChange }: FieldsProps) {
  const field = textFields(draft, onChange, faults);
  return (
    <>
      <TextInput label={words.name} description={words.nameNote} {...field('name')} autoComplete="off" />
      <Checkbox.Group
        label={words.may}
        description={words.mayNote}
        value={draft.permissions}
        error={faults['permissions']}
        onChange={(values) =>
          onChange({ permissions: tokenPermissions.filter((permission) => values.includes(permission)) })
        }
      >
        {tokenPermissions.map((permission) => (
          <Checkbox key={permission} value={permission} label={words.permissions[permission]} mt="xs" />
        ))}
      </Checkbox.Group>
      <NativeSelect
        label={words.validFor}
        {...field('days')}
        error={faults['expiresAt']}
        data={[30, 90, 364].map((days) => ({ value: String(days), label: words.days(days) }))}
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
}
