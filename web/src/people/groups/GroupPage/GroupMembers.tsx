import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { ChangeMembers, Group } from '#people/users/contract';
import { changeMembers } from '../../users/directory.ts';
import { usersQuery } from '../../users/directory-queries.ts';
import { exceptOwn, type Permission } from '../../roles/permission-table.ts';
import { useUser } from '../../users/use-user.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Initials } from '../../../ui/Initials/Initials.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import { chooseUser } from '../../../ui/words/words.ts';
import classes from '../../../settings/Users.module.css';
import { userChoices } from '../../users/user-choices.ts';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { groups as words } from '../../../settings/words/words.ts';

export function GroupMembers({ group, permission }: { group: Group; permission: Permission }) {
  const users = useQuery(usersQuery).data ?? [];
  const [chosen, setChosen] = useState('');
  const me = useUser();
  const id = useId();
  const ownId = useId();
  const save = useSave((body: ChangeMembers) => changeMembers(group.id, body));
  const others = users.filter((user) => !group.members.some((member) => member.id === user.id));
  const add = () => {
    if (chosen !== '') save.mutate({ add: [chosen] }, { onSuccess: () => setChosen('') });
  };
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.membersTitle(group.members.length)}</h2>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      {group.members.length === 0 && <p className={page.soft}>{words.noMembers}</p>}
      <ul className={classes.members}>
        {group.members.map((member) => (
          <li key={member.id} className={classes.member}>
            <Link to={`/settings/people/${member.id}`}>
              <Initials id={member.id} name={member.name} />
              <Revealed text={member.name} />
            </Link>
            <ReasonedButton
              permission={exceptOwn(permission, me, member.id)}
              reasonId={member.id === me?.id && permission.allowed ? ownId : id}
              isQuiet
              onPress={() => save.mutate({ remove: [member.id] })}
            >
              {words.remove} <span className={unseen.unseen}>{member.name}</span>
            </ReasonedButton>
          </li>
        ))}
      </ul>
      {permission.allowed && group.members.some((member) => member.id === me?.id) && (
        <p id={ownId} className={page.reason}>
          {exceptOwn(permission, me, me?.id ?? null).reason}
        </p>
      )}
      <div className={classes.pick}>
        <NativeSelect
          label={words.addMember}
          value={chosen}
          disabled={!permission.allowed}
          data={[{ value: '', label: chooseUser }, ...userChoices({ users: others, me: me?.id })]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <ReasonedButton permission={permission} reasonId={id} isQuiet isSending={save.isPending} onPress={add}>
          {words.add}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}
