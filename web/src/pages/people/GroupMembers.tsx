import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { Permission } from '../../../../src/contract/console.ts';
import type { ChangeMembers, Team } from '../../../../src/contract/people.ts';
import { changeMembers } from '../../api/directory.ts';
import { peopleQuery } from '../../lib/directory-queries.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../ui/Unseen.module.css';
import classes from './People.module.css';
import { useSave } from './use-save.ts';
import { groups as words } from './words.ts';

export function GroupMembers({ team, permission }: { team: Team; permission: Permission }) {
  const people = useQuery(peopleQuery).data ?? [];
  const [chosen, setChosen] = useState('');
  const id = useId();
  const save = useSave((body: ChangeMembers) => changeMembers(team.id, body));
  const others = people.filter(
    (one) => one.disabledAt === null && !team.members.some((member) => member.id === one.id),
  );
  const add = () => {
    if (chosen !== '') save.mutate({ add: [chosen] }, { onSuccess: () => setChosen('') });
  };
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.membersTitle(team.members.length)}</h2>
      {save.isError && <ProblemNotice error={save.error} />}
      {team.members.length === 0 && <p className={page.soft}>{words.noMembers}</p>}
      <ul className={classes.members}>
        {team.members.map((member) => (
          <li key={member.id} className={classes.member}>
            <Link to={`/people/${member.id}`}>
              <Revealed text={member.name} />
            </Link>
            <ReasonedButton
              permission={permission}
              reasonId={id}
              isQuiet
              onPress={() => save.mutate({ remove: [member.id] })}
            >
              {words.remove} <span className={unseen.unseen}>{member.name}</span>
            </ReasonedButton>
          </li>
        ))}
      </ul>
      <div className={classes.pick}>
        <NativeSelect
          label={words.addMember}
          value={chosen}
          disabled={!permission.allowed}
          data={[
            { value: '', label: words.choose },
            ...others.map((one) => ({ value: one.id, label: `${one.name} (${one.email})` })),
          ]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={add}>
          {words.add}
        </ReasonedButton>
      </div>
      {permission.reason !== null && (
        <p id={id} className={page.reason}>
          {permission.reason}
        </p>
      )}
    </section>
  );
}
