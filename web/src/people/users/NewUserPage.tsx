import { useQuery } from '@tanstack/react-query';
import { useState, useId, useRef, type SubmitEvent } from 'react';
import { Link } from 'react-router';
import type { AnswerOf } from '#platform/http/contract/call';
import { usersRoutes, type AddedUser, type AddUser, type UserEntry, type Group } from '#people/users/contract';
import { isWaiting } from '../changes/changes.ts';
import { groupsQuery, linkWayQuery, usersQuery } from './directory-queries.ts';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { places } from '../../ui/words/words.ts';
import { ChangeNotice } from '../changes/ChangeNotice.tsx';
import { MailedLinkNotice, TerminalAccess } from './SignInAccess.tsx';
import { newUser as words, user as shared, words as common } from '../../settings/words/words.ts';
import { call } from '../../client/call.ts';
import { useDraft } from '../../ui/carried-text.ts';
import { fieldFaults, textFields, type Faults } from '../../ui/field-faults.ts';
import { may } from '../roles/permission-table.ts';
import { useUser } from './use-user.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useSave } from '../../settings/use-save.ts';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { RoleSelect } from '../roles/RoleSelect.tsx';
import { userChoices } from './user-choices.ts';

/** The added person, or the request that waits. */
type Addition = AnswerOf<typeof usersRoutes.addUser>;

export function NewUserPage() {
  const [added, setAdded] = useState<Addition | null>(null);
  const users = useQuery(usersQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const isInTerminal = useQuery(linkWayQuery).data === 'terminal';
  return (
    <div className={page.stack}>
      <PageHead
        title={words.title}
        lead={isInTerminal ? words.terminalLead : words.lead}
        back={{ to: '/settings/people', text: places.users }}
      />
      {added === null ? (
        <NewUserForm users={users} groups={groups} isInTerminal={isInTerminal} onAdded={setAdded} />
      ) : (
        <Added added={added} onAgain={() => setAdded(null)} />
      )}
    </div>
  );
}

function Added({ added, onAgain }: { added: Addition; onAgain: () => void }) {
  return (
    <div className={page.form}>
      {!isWaiting(added) && <Access {...added} />}
      <ChangeNotice change={added} />
      <div className={page.actions}>
        {!isWaiting(added) && (
          <Link to={`/settings/people/${added.user.id}`} className={page.action}>
            {words.open(added.user.name)}
          </Link>
        )}
        <button type="button" className={page.action} onClick={onAgain}>
          {words.again}
        </button>
      </div>
    </div>
  );
}

const Access = ({ user, linkUntil }: AddedUser) =>
  linkUntil === null ? <TerminalAccess user={user} isNew /> : <MailedLinkNotice user={user} until={linkUntil} />;

interface NewUserFormProps {
  users: UserEntry[];
  groups: Group[];
  /** Is the link printed by the operator's terminal instead of mailed? */
  isInTerminal: boolean;
  onAdded: (added: Addition) => void;
}

const empty: NewUserDraft = { email: '', name: '', role: 'approver', managerId: '', groups: [] };

function NewUserForm({ users, groups, isInTerminal, onAdded }: NewUserFormProps) {
  const me = useUser();
  const permission = may(me, 'change-directory');
  const [draft, setDraft] = useDraft('new-user', empty);
  const save = useSave((body: AddUser) => call(usersRoutes.addUser, { body }), words.added);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const faults = fieldFaults(save.error);
  const set = (part: Partial<NewUserDraft>) => setDraft({ ...draft, ...part });
  const send = () => {
    const body = { ...draft, email: draft.email.trim(), managerId: draft.managerId === '' ? null : draft.managerId };
    const onError = (error: Error) => {
      const names = Object.keys(fieldFaults(error)).map((name) => `[name=${name}]`);
      form.current?.querySelector<HTMLElement>(names.join() || '[name=email]')?.focus();
    };
    const onSuccess = (added: Addition) => {
      setDraft(empty);
      onAdded(added);
    };
    save.mutate(body, { onSuccess, onError });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed && !save.isPending) send();
  };
  return (
    <form ref={form} onSubmit={submit} className={page.form} noValidate aria-label={words.title}>
      {save.isError && Object.keys(faults).length === 0 && <ProblemNotice error={save.error} />}
      <fieldset disabled={!permission.allowed} className={page.form}>
        <NewUserFields draft={draft} faults={faults} users={users} groups={groups} me={me?.id} set={set} />
      </fieldset>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={send}>
          {isInTerminal ? words.terminalSubmit : words.submit}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </form>
  );
}

interface NewUserDraft {
  email: string;
  name: string;
  role: string;
  managerId: string;
  groups: string[];
}

interface NewUserFieldsProps {
  draft: NewUserDraft;
  faults: Faults;
  users: UserEntry[];
  groups: Group[];
  me: string | undefined;
  set: (part: Partial<NewUserDraft>) => void;
}

/** Identity and role of the new person. */
function NewUserFields({ draft, faults, users, groups, me, set }: NewUserFieldsProps) {
  const field = textFields(draft, set, faults);
  return (
    <>
      <TextInput
        label={words.email}
        description={words.emailNote}
        type="email"
        name="email"
        {...field('email')}
        autoComplete="off"
      />
      <TextInput label={shared.name} description={shared.nameNote} name="name" {...field('name')} autoComplete="off" />
      <RoleSelect value={draft.role} error={faults['role']} onChange={(role) => set({ role })} />
      <NativeSelect
        label={words.manager}
        description={shared.managerNote}
        name="managerId"
        {...field('managerId')}
        data={[{ value: '', label: common.none }, ...userChoices({ users, me })]}
      />
      {groups.length > 0 && <GroupChoice groups={groups} chosen={draft.groups} fault={faults['groups']} set={set} />}
    </>
  );
}

interface GroupChoiceProps extends Pick<NewUserFieldsProps, 'groups' | 'set'> {
  chosen: string[];
  fault: string | undefined;
}

const GroupChoice = ({ groups, chosen, fault, set }: GroupChoiceProps) => (
  <Checkbox.Group label={words.groups} value={chosen} error={fault} onChange={(choice) => set({ groups: choice })}>
    {groups.map(({ id, name }) => (
      <Checkbox key={id} value={id} label={name} mt="xs" />
    ))}
  </Checkbox.Group>
);
