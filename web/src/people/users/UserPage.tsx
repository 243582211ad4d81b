import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { usersRoutes, type UserEntry, type ChangeUser } from '#people/users/contract';
import { usersQuery, keysQuery } from './directory-queries.ts';
import { may, mayOfOthers, type Permission } from '../roles/permission-table.ts';
import { useUser } from './use-user.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import { Age } from '../../ui/Moment.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from '../../settings/Users.module.css';
import { AccountPairs } from '../accounts/AccountPairs.tsx';
import { SignInAccess } from './SignInAccess.tsx';
import { users, user as words, words as shared, access as userPasskeysWords } from '../../settings/words/words.ts';
import { TextInput, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useId, type SubmitEvent } from 'react';
import { passkeyRoutes } from '#access/passkeys/contract/passkeys';
import { call, query } from '../../client/call.ts';
import { isWaiting } from '../changes/changes.ts';
import { useDraft } from '../../ui/carried-text.ts';
import { fieldFaults, textFields, type Faults } from '../../ui/field-faults.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { ChangeNotice } from '../changes/ChangeNotice.tsx';
import { useSave } from '../../settings/use-save.ts';
import { PasskeyFacts } from '../../access/passkeys/PasskeyFacts.tsx';
import { RoleSelect } from '../roles/RoleSelect.tsx';
import { userChoices } from './user-choices.ts';

const back = { to: '/settings/people', text: users.title };

export function UserPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(usersQuery)}>
      {(users) => {
        const user = users.find((user) => user.id === id);
        return user === undefined ? (
          <MissingPage words={words} back={back} />
        ) : (
          <Known key={user.id} user={user} users={users} />
        );
      }}
    </Loaded>
  );
}

function Known({ user, users }: { user: UserEntry; users: UserEntry[] }) {
  const mayChange = may(useUser(), 'change-directory').allowed;
  return (
    <div className={page.stack}>
      <PageHead
        title={user.name}
        heading={
          <>
            <Initials id={user.id} name={user.name} />
            <Revealed text={user.name} />
          </>
        }
        lead={<Revealed text={user.email} />}
        back={back}
      />
      <div className={classes.columns}>
        <UserForm user={user} users={users} />
        <div className={classes.aside}>
          <SignInAccess user={user} />
          {mayChange && <UserPasskeys id={user.id} />}
          {mayChange && <AccountPairs of={user.id} users={users} />}
          <section className={classes.side}>
            <h2 className={page.subtitle}>{words.groups}</h2>
            {user.groups.length === 0 ? (
              <p className={page.soft}>{words.noGroups}</p>
            ) : (
              <ul>
                {user.groups.map(({ id, name }) => (
                  <li key={id}>
                    <Link to={`/settings/groups/${id}`}>
                      <Revealed text={name} />
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <p className={page.small}>
              {words.since} <Age at={user.createdAt} />
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}

function UserForm({ user, users }: { user: UserEntry; users: UserEntry[] }) {
  const me = useUser();
  const permission = may(me, 'change-directory');
  const ofPower = permission.allowed ? mayOfOthers(me, 'change-directory', user.id) : { allowed: false, reason: null };
  // Only typed values: the rest stays current, also if someone else changes it meanwhile.
  const [typed, setTyped] = useDraft<Partial<UserDraft>>('user', {}, user.id);
  const draft = { ...startDraft(user), ...typed };
  const save = useSave((body: ChangeUser) => call(usersRoutes.changeUser, { params: { id: user.id }, body }));
  const faults = fieldFaults(save.error);
  const id = useId();
  const set = (part: Partial<UserDraft>) => setTyped({ ...typed, ...part });
  const press = () => save.mutate(readDraft(draft), { onSuccess: (change) => isWaiting(change) || setTyped({}) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed) press();
  };
  return (
    <form onSubmit={submit} className={page.form} noValidate aria-label={words.title}>
      {save.isError && <ProblemNotice error={save.error} />}
      <TextInput
        label={words.name}
        description={words.nameNote}
        {...textFields(draft, set, faults)('name')}
        disabled={!permission.allowed}
        autoComplete="off"
      />
      <PowerFields {...{ user, users, draft, set, faults, permission: ofPower }} />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={press}>
          {shared.save}
        </ReasonedButton>
      </div>
      <ChangeNotice change={save.data} saved={shared.saved} />
      <Reason id={id} permission={permission} />
    </form>
  );
}

/** A person's passkeys for administrators of people: which stay on their device, and which are copied. */
export function UserPasskeys({ id }: { id: string }) {
  return (
    <section className={classes.side}>
      <h2 className={page.subtitle}>{userPasskeysWords.passkeys}</h2>
      <Loaded query={useQuery(query(passkeyRoutes.listPasskeysOf, { params: { id } }))}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p className={page.soft}>{userPasskeysWords.noPasskeys}</p>
          ) : (
            <ul>
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <Revealed text={passkey.name} />
                  <PasskeyFacts passkey={passkey} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

interface PowerFieldsProps {
  user: UserEntry;
  users: UserEntry[];
  draft: UserDraft;
  set: (part: Partial<UserDraft>) => void;
  faults: Faults;
  permission: Permission;
}

/** Fields that decide whose requests a person votes on, and who votes on theirs: for everyone but oneself. */
function PowerFields({ user, users, draft, set, faults, permission }: PowerFieldsProps) {
  const field = textFields(draft, set, faults);
  const isOff = !permission.allowed;
  const isOwn = permission.reason !== null; // people can give up their own rights
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

/** Keys made by this person, which open nothing while the person is disabled. */
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

/** A person in the form: texts, with an empty one for none. */
type UserDraft = ReturnType<typeof startDraft>;

export const startDraft = ({ name, role, managerId, subjects, chatMember, mayBreakGlass, disabledAt }: UserEntry) => ({
  name,
  role,
  managerId: managerId ?? '',
  subjects: subjects.join('\n'),
  chatMember: chatMember ?? '',
  mayBreakGlass,
  disabled: disabledAt !== null,
});

export function readDraft({ managerId, subjects, chatMember, ...rest }: UserDraft): ChangeUser {
  const names = subjects
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return { ...rest, managerId: orNull(managerId), chatMember: orNull(chatMember), subjects: names };
}
