import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Space } from '#people/spaces/contract';
import { spaceRoles, type SpaceRole } from '#people/roles/contract';
import { setSpaceRole } from '../spaces/spaces.ts';
import { usersQuery } from '../../users/directory-queries.ts';
import type { Permission } from '../../roles/permission-table.ts';
import { useMayIn } from '../spaces/space-permission.ts';
import { useUser } from '../../users/use-user.ts';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../../../settings/Users.module.css';
import { userChoices } from '../../users/user-choices.ts';
import { useSave } from '../../../settings/use-save.ts';
import { spaces as words } from '../words/words.ts';

const roleChoices = spaceRoles.map((role) => ({ value: role as string, label: words.roles[role] }));

interface RoleChange {
  user: string;
  /** Empty for none. */
  role: string;
}

/** Who has which role in the space; its administrators change those of others. */
export function SpaceMembers({ space: { id, members } }: { space: Space }) {
  const me = useUser();
  const permission = useMayIn('change-space')({ id });
  const save = useSave(
    ({ user, role }: RoleChange) => setSpaceRole(id, user, { role: role === '' ? null : (role as SpaceRole) }),
    words.saved,
  );
  const choicesFor = (user: string, own: SpaceRole) => [
    ...roleChoices.map((choice) => ({ ...choice, disabled: user === me?.id && choice.value !== own })),
    { value: '', label: words.noRole },
  ];
  return (
    <section className={page.form} aria-label={words.people}>
      <h2 className={page.subtitle}>{words.people}</h2>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      {members.length === 0 && <p className={page.soft}>{words.noMembers}</p>}
      <ul className={classes.members}>
        {members.map(({ user, role }) => (
          <li key={user.id} className={classes.member}>
            <Revealed text={user.name} />
            {permission.allowed ? (
              <NativeSelect
                aria-label={words.roleOf(user.name)}
                value={role}
                disabled={save.isPending}
                data={choicesFor(user.id, role)}
                onChange={(event) => save.mutate({ user: user.id, role: event.currentTarget.value })}
              />
            ) : (
              <span>{words.roles[role]}</span>
            )}
          </li>
        ))}
      </ul>
      {permission.allowed && (
        <NewMember
          except={members.map(({ user }) => user.id)}
          permission={permission}
          isSending={save.isPending}
          onAdd={(change, onSuccess) => save.mutate(change, { onSuccess })}
        />
      )}
    </section>
  );
}

interface NewMemberProps {
  except: string[];
  permission: Permission;
  isSending: boolean;
  onAdd: (change: RoleChange, onSuccess: () => void) => void;
}

function NewMember({ except, permission, isSending, onAdd }: NewMemberProps) {
  const me = useUser();
  const users = useQuery(usersQuery).data ?? [];
  const [chosen, setChosen] = useState({ user: '', role: 'operator' });
  const id = useId();
  const others = users.filter((user) => !except.includes(user.id));
  const add = () => {
    if (chosen.user !== '') onAdd(chosen, () => setChosen({ ...chosen, user: '' }));
  };
  return (
    <div className={classes.pick}>
      <NativeSelect
        label={words.person}
        value={chosen.user}
        data={[{ value: '', label: words.choose }, ...userChoices({ users: others, me: me?.id })]}
        onChange={(event) => setChosen({ ...chosen, user: event.currentTarget.value })}
      />
      <NativeSelect
        label={words.role}
        value={chosen.role}
        data={roleChoices}
        onChange={(event) => setChosen({ ...chosen, role: event.currentTarget.value })}
      />
      <ReasonedButton permission={permission} reasonId={id} isQuiet isSending={isSending} onPress={add}>
        {words.add}
      </ReasonedButton>
    </div>
  );
}
