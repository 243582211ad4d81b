import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useParams } from 'react-router';
import { spaceRoutes, type Space } from '#people/spaces/contract';
import { call } from '../../client/call.ts';
import { spacesQuery, useMayIn } from './spaces.ts';
import { groupsQuery, serversQuery, usersQuery } from '../users/directory-queries.ts';
import { may, type Permission } from '../roles/permission-table.ts';
import { useUser } from '../users/use-user.ts';
import { ChangeNotice } from '../changes/ChangeNotice.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';
import classes from '../../settings/Users.module.css';
import { useSave } from '../../settings/use-save.ts';
import { spaces as words } from './words/words.ts';
import { spaceRoles, type SpaceRole } from '#people/roles/contract';
import { userChoices } from '../users/user-choices.ts';

const back = { to: '/settings/spaces', text: words.title };

/** One space: its people with their roles, its servers and its groups. */
export function SpacePage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(spacesQuery)}>
      {(spaces) => {
        const space = spaces.find((candidate) => candidate.id === id);
        if (space === undefined) return <MissingPage words={words} back={back} />;
        return (
          <div key={space.id} className={page.stack}>
            <PageHead title={space.name} heading={<Revealed text={space.name} />} back={back} />
            <SpaceMembers space={space} />
            <Belongings space={space} title={words.servers} move={words.server} kind="servers" />
            <Belongings space={space} title={words.groups} move={words.group} kind="groups" />
          </div>
        );
      }}
    </Loaded>
  );
}

interface BelongingsProps {
  space: Space;
  title: string;
  move: string;
  kind: 'servers' | 'groups';
}

/** Groups or servers of the space; administrators move them in or out. */
function Belongings({ space, title, move, kind }: BelongingsProps) {
  const permission = may(useUser(), 'change-directory');
  const servers = useQuery(serversQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const [chosen, setChosen] = useState('');
  const route = kind === 'servers' ? spaceRoutes.moveServer : spaceRoutes.moveGroup;
  const save = useSave(
    ({ id, to }: { id: string; to: string | null }) => call(route, { params: { id }, body: { spaceId: to } }),
    words.saved,
  );
  const reasonId = useId();
  const others = (kind === 'servers' ? servers : groups).filter((entry) => entry.space?.id !== space.id);
  const add = () => {
    if (chosen !== '') save.mutate({ id: chosen, to: space.id }, { onSuccess: () => setChosen('') });
  };
  return (
    <section className={page.form} aria-label={title}>
      <h2 className={page.subtitle}>{title}</h2>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      {space[kind].length === 0 && <p className={page.soft}>{words.nothing}</p>}
      <ul className={classes.members}>
        {space[kind].map(({ id, name }) => (
          <li key={id} className={classes.member}>
            <Revealed text={name} />
            {permission.allowed && (
              <ReasonedButton
                permission={permission}
                reasonId={reasonId}
                isQuiet
                onPress={() => save.mutate({ id, to: null })}
              >
                {words.takeOut} <span className={unseen.unseen}>{name}</span>
              </ReasonedButton>
            )}
          </li>
        ))}
      </ul>
      {permission.allowed && others.length > 0 && (
        <div className={classes.pick}>
          <NativeSelect
            label={move}
            value={chosen}
            data={[{ value: '', label: words.choose }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <ReasonedButton permission={permission} reasonId={reasonId} isQuiet isSending={save.isPending} onPress={add}>
            {words.move} <span className={unseen.unseen}>{move}</span>
          </ReasonedButton>
        </div>
      )}
    </section>
  );
}

const roleChoices = spaceRoles.map((role) => ({ value: role as string, label: words.roles[role] }));

interface RoleChange {
  user: string;
  /** Role; empty for none. */
  role: string;
}

/** Members of the space with their roles. Its administrators change the roles of others. */
function SpaceMembers({ space: { id, members } }: { space: Space }) {
  const me = useUser();
  const permission = useMayIn('change-space')({ id });
  const save = useSave(
    ({ user, role }: RoleChange) =>
      call(spaceRoutes.setSpaceRole, {
        params: { id, user },
        body: { role: role === '' ? null : (role as SpaceRole) },
      }),
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
