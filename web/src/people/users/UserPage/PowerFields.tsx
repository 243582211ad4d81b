import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Permission } from '../../roles/permission-table.ts';
import type { UserEntry } from '#people/users/contract';
import { keysQuery } from '../directory-queries.ts';
import { textFields, type Faults } from '../../../ui/field-faults.ts';
import { useUser } from '../use-user.ts';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { Reason } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { RoleSelect } from '../../roles/RoleSelect.tsx';
import { userChoices } from '../user-choices.ts';
import type { UserDraft } from './user-draft.ts';
import { user as words, words as shared } from '../../../settings/words/words.ts';

interface PowerFieldsProps {
  user: UserEntry;
  users: UserEntry[];
  draft: UserDraft;
  set: (part: Partial<UserDraft>) => void;
  faults: Faults;
  permission: Permission;
}

/** What decides whose requests a person votes on, and who votes on theirs: for everyone but oneself. */
export function PowerFields({ user, users, draft, set, faults, permission }: PowerFieldsProps) {
  const field = textFields(draft, set, faults);
  const isOff = !permission.allowed;
  const isOwn = permission.reason !== null; // people can give up what they have themselves
  const me = useUser()?.id;
  const others = users.filter(({ id }) => id !== user.id);
  const id = useId();
  return (
    <fieldset className={page.form} {...(isOff && { 'aria-describedby': id })}>
      <Reason id={id} permission={permission} />
      <RoleSelect value={draft.role} error={faults['role']} disabled={isOff} onChange={(role) => set({ role })} />
      <NativeSelect
        label={words.manager}
        description={words.managerNote}
        {...field('managerId')}
        disabled={isOff}
        data={[{ value: '', label: shared.none }, ...userChoices({ users: others, chosen: user.managerId, me })]}
      />
      <Textarea
        label={words.subjects}
        description={words.subjectsNote}
        {...field('subjects')}
        disabled={isOff}
        rows={3}
        spellCheck={false}
      />
      <TextInput
        label={words.chat}
        description={words.chatNote}
        {...field('chatMember')}
        disabled={isOff && !(isOwn && user.chatMember !== null)}
        spellCheck={false}
        autoComplete="off"
      />
      <Rights user={user} draft={draft} set={set} isOff={isOff} isOwn={isOwn} />
    </fieldset>
  );
}

/** What opens nothing while this person is disabled. */
function MadeKeys({ user }: { user: UserEntry }) {
  const keys = (useQuery(keysQuery).data ?? []).filter(
    ({ maker, revokedAt }) => maker?.id === user.id && revokedAt === null,
  );
  if (keys.length === 0) return null;
  return (
    <div className={page.small} role="status">
      <p>{words.madeKeys(keys.length)}</p>
      <ul>
        {keys.map(({ kid, server }) => (
          <li key={kid}>
            <Revealed text={server.name} /> <span className={page.mono}>{kid}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RightsProps extends Pick<PowerFieldsProps, 'user' | 'draft' | 'set'> {
  isOff: boolean;
  isOwn: boolean;
}

const Rights = ({ user, draft, set, isOff, isOwn }: RightsProps) => (
  <>
    <Checkbox
      label={words.breakGlass}
      description={words.breakGlassNote}
      checked={draft.mayBreakGlass}
      disabled={isOff && !(isOwn && user.mayBreakGlass)}
      onChange={(event) => set({ mayBreakGlass: event.currentTarget.checked })}
    />
    <Checkbox
      label={words.disabled}
      description={words.disabledNote}
      checked={draft.disabled}
      disabled={isOff}
      onChange={(event) => set({ disabled: event.currentTarget.checked })}
    />
    {draft.disabled && <MadeKeys user={user} />}
  </>
);
