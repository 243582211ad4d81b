import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SetConfirmation } from '#people/groups/contract';
import type { Group } from '#people/users/contract';
import { confirmMembers, setConfirmation } from '../../users/directory.ts';
import { usersQuery } from '../../users/directory-queries.ts';
import type { Permission } from '../../roles/permission-table.ts';
import { useUser } from '../../users/use-user.ts';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { When } from '../../../ui/Moment.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import { chooseUser } from '../../../ui/words/words.ts';
import classes from '../../../settings/Users.module.css';
import { userChoices } from '../../users/user-choices.ts';
import { useSave } from '../../../settings/use-save.ts';
import { confirmation as words, groups, words as shared } from '../../../settings/words/words.ts';

/** Whether someone confirms the members, when next, and by whom. */
export function GroupConfirmation({ group, permission }: { group: Group; permission: Permission }) {
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <p className={page.soft}>{words.lead}</p>
      {group.confirmation === null ? <p>{words.none}</p> : <State {...{ group, permission }} />}
      <RuleForm key={JSON.stringify([group.owners, group.confirmation?.days])} {...{ group, permission }} />
    </section>
  );
}

/** What is confirmed is the list of this page: its digest goes along. */
function State({ group, permission }: { group: Group; permission: Permission }) {
  const me = useUser();
  const id = useId();
  const save = useSave((digest: string) => confirmMembers(group.id, { digest }), words.confirmed);
  const { confirmation, owners } = group;
  if (confirmation === null) return null;
  const { days, members, digest, confirmedAt, dueAt, lapsesAt } = confirmation;
  const isOwner = owners.some((owner) => owner.id === me?.id);
  const isOwn = members.some((member) => member === me?.id);
  const may = isOwner || permission.allowed ? { allowed: true, reason: null } : { allowed: false, reason: words.who };
  const confirming = may.allowed && isOwn ? { allowed: false, reason: words.own } : may;
  const by = owners.map(({ name }) => name).join(', ') || words.administrators;
  return (
    <>
      {save.isError && <ProblemNotice error={save.error} />}
      {lapsesAt !== null && members.length > 0 && (
        <Notice tone="warn" title={words.due(members.length)}>
          <When at={lapsesAt} />
        </Notice>
      )}
      <p>
        <Revealed text={words.rule(days, by)} />
      </p>
      <p className={page.soft}>
        {words.last} <When at={confirmedAt} /> · {words.next} <When at={dueAt} />
      </p>
      {members.length < group.members.length && <p className={page.soft}>{words.provided}</p>}
      {members.length > 0 && (
        <div className={page.actions}>
          <ReasonedButton
            permission={confirming}
            reasonId={id}
            isSending={save.isPending}
            onPress={() => save.mutate(digest)}
          >
            {words.confirm(members.length)}
          </ReasonedButton>
        </div>
      )}
      <Reason id={id} permission={confirming} />
    </>
  );
}

function RuleForm({ group, permission }: { group: Group; permission: Permission }) {
  const users = useQuery(usersQuery).data ?? [];
  const me = useUser();
  const id = useId();
  const [days, setDays] = useState(String(group.confirmation?.days ?? ''));
  const [owners, setOwners] = useState(group.owners);
  const save = useSave((body: SetConfirmation) => setConfirmation(group.id, body));
  const others = users.filter((user) => !owners.some((owner) => owner.id === user.id));
  const add = (chosen: string) =>
    setOwners([...owners, ...users.filter((user) => user.id === chosen).map(({ id, name }) => ({ id, name }))]);
  const press = () =>
    save.mutate({ days: days.trim() === '' ? null : Number(days), owners: owners.map((owner) => owner.id) });
  return (
    <>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      <fieldset disabled={!permission.allowed} className={page.form}>
        <TextInput
          label={words.days}
          description={words.daysNote}
          inputMode="numeric"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          autoComplete="off"
        />
        <NativeSelect
          label={words.addOwner}
          description={words.ownersNote}
          value=""
          data={[{ value: '', label: chooseUser }, ...userChoices({ users: others, me: me?.id })]}
          onChange={(event) => add(event.currentTarget.value)}
        />
      </fieldset>
      {owners.length > 0 && (
        <ul className={classes.members} aria-label={words.owners}>
          {owners.map((owner) => (
            <li key={owner.id} className={classes.member}>
              <Revealed text={owner.name} />
              <ReasonedButton
                permission={permission}
                reasonId={id}
                isQuiet
                onPress={() => setOwners(owners.filter((other) => other.id !== owner.id))}
              >
                {groups.remove} <span className={unseen.unseen}>{owner.name}</span>
              </ReasonedButton>
            </li>
          ))}
        </ul>
      )}
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={press}>
          {words.save}
        </ReasonedButton>
        {save.isSuccess && <span className={page.soft}>{shared.saved}</span>}
      </div>
      <Reason id={id} permission={permission} />
    </>
  );
}
