import { useQuery } from '@tanstack/react-query';
import { useParams, useNavigate, Link } from 'react-router';
import { usersRoutes, type Group, type ChangeMembers } from '#people/users/contract';
import { call } from '../../client/call.ts';
import { groupsQuery, usersQuery } from '../users/directory-queries.ts';
import { may, type Permission, exceptOwn } from '../roles/permission-table.ts';
import { useMayIn } from '../spaces/spaces.ts';
import { useUser } from '../users/use-user.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { GroupForm } from './GroupForm.tsx';
import {
  groups as words,
  words as shared,
  confirmation as groupConfirmationWords,
  groups,
} from '../../settings/words/words.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { ProblemNotice, Notice } from '../../ui/Notice.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import classes from '../../settings/Users.module.css';
import { useEscape } from '../../settings/use-escape.ts';
import { useSave } from '../../settings/use-save.ts';
import { ChangeNotice } from '../changes/ChangeNotice.tsx';
import { isWaiting } from '../changes/changes.ts';
import { groupConfirmationRoutes, type SetConfirmation } from '#people/groups/contract';
import { When } from '../../ui/Moment.tsx';
import unseen from '../../shell/Unseen.module.css';
import { chooseUser } from '../../ui/words/words.ts';
import { userChoices } from '../users/user-choices.ts';
import { Initials } from '../../ui/Initials.tsx';

const back = { to: '/settings/groups', text: words.title };

export function GroupPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(groupsQuery)}>
      {(groups) => {
        const group = groups.find((group) => group.id === id);
        return group === undefined ? <MissingPage words={words} back={back} /> : <Known key={group.id} group={group} />;
      }}
    </Loaded>
  );
}

function Known({ group }: { group: Group }) {
  const permission = may(useUser(), 'change-directory');
  const members = useMayIn('change-space')(group.space);
  return (
    <div className={page.stack}>
      <PageHead
        title={group.name}
        heading={<Revealed text={group.name} />}
        lead={group.description !== '' && <Revealed text={group.description} />}
        back={back}
      />
      <GroupAdoption group={group} permission={permission} />
      <GroupMembers group={group} permission={members} />
      <GroupConfirmation group={group} permission={members} />
      <GroupForm
        title={words.settings}
        nameNote={words.renameNote}
        submit={shared.save}
        permission={permission}
        group={group}
        send={(body) => call(usersRoutes.changeGroup, { params: { id: group.id }, body })}
      />
      <DeleteGroup group={group} permission={permission} />
    </div>
  );
}

/** Explains the deletion first; a second button, in the page, does it. */
function DeleteGroup({ group, permission }: { group: Group; permission: Permission }) {
  const [isAsked, setIsAsked] = useState(false);
  useEscape(isAsked, () => setIsAsked(false));
  const navigate = useNavigate();
  const id = useId();
  const remove = useSave(async () => {
    const change = await call(usersRoutes.deleteGroup, { params: { id: group.id } });
    if (!isWaiting(change)) await navigate('/settings/groups');
    return change;
  });
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{words.deleteTitle}</h2>
      {remove.isError && <ProblemNotice error={remove.error} />}
      <ChangeNotice change={remove.data ?? undefined} />
      <p className={page.soft}>{words.deleteNote}</p>
      <div className={page.actions}>
        {isAsked ? (
          <>
            <ReasonedButton
              permission={permission}
              reasonId={id}
              isSending={remove.isPending}
              onPress={() => remove.mutate()}
            >
              {words.confirm(group.name)}
            </ReasonedButton>
            <Button variant="subtle" color="gray" onClick={() => setIsAsked(false)}>
              {words.keep}
            </Button>
          </>
        ) : (
          <ReasonedButton permission={permission} reasonId={id} onPress={() => setIsAsked(true)}>
            {words.delete}
          </ReasonedButton>
        )}
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}

/** Does a group made by an identity provider count in policies? */
function GroupAdoption({ group, permission }: { group: Group; permission: Permission }) {
  const id = useId();
  const save = useSave((adopted: boolean) =>
    call(usersRoutes.adoptGroup, { params: { id: group.id }, body: { adopted } }),
  );
  if (group.provisioned === null) return null;
  const { issuer, isAdopted } = group.provisioned;
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.providedTitle}</h2>
      {save.isError && <ProblemNotice error={save.error} />}
      <ChangeNotice change={save.data} />
      {isAdopted ? (
        <p>
          <Revealed text={words.adopted(issuer)} />
        </p>
      ) : (
        <Notice tone="warn" title={words.unadoptedMark}>
          <Revealed text={words.unadopted(issuer)} />
        </Notice>
      )}
      <div className={page.actions}>
        <ReasonedButton
          permission={permission}
          reasonId={id}
          isSending={save.isPending}
          onPress={() => save.mutate(!isAdopted)}
        >
          {isAdopted ? words.endAdoption : words.adopt}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </section>
  );
}

/** Whether the members are confirmed, next date, and by whom. */
export function GroupConfirmation({ group, permission }: { group: Group; permission: Permission }) {
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{groupConfirmationWords.title}</h2>
      <p className={page.soft}>{groupConfirmationWords.lead}</p>
      {group.confirmation === null ? <p>{groupConfirmationWords.none}</p> : <State {...{ group, permission }} />}
      <RuleForm key={JSON.stringify([group.owners, group.confirmation?.days])} {...{ group, permission }} />
    </section>
  );
}

/** Confirms the list on this page: its digest is sent along. */
function State({ group, permission }: { group: Group; permission: Permission }) {
  const me = useUser();
  const id = useId();
  const save = useSave(
    (digest: string) => call(groupConfirmationRoutes.confirmMembers, { params: { id: group.id }, body: { digest } }),
    groupConfirmationWords.confirmed,
  );
  const { confirmation, owners } = group;
  if (confirmation === null) return null;
  const { days, members, digest, confirmedAt, dueAt, lapsesAt } = confirmation;
  const isOwner = owners.some((owner) => owner.id === me?.id);
  const isOwn = members.some((member) => member === me?.id);
  const may =
    isOwner || permission.allowed
      ? { allowed: true, reason: null }
      : { allowed: false, reason: groupConfirmationWords.who };
  const confirming = may.allowed && isOwn ? { allowed: false, reason: groupConfirmationWords.own } : may;
  const by = owners.map(({ name }) => name).join(', ') || groupConfirmationWords.administrators;
  return (
    <>
      {save.isError && <ProblemNotice error={save.error} />}
      {lapsesAt !== null && members.length > 0 && (
        <Notice tone="warn" title={groupConfirmationWords.due(members.length)}>
          <When at={lapsesAt} />
        </Notice>
      )}
      <p>
        <Revealed text={groupConfirmationWords.rule(days, by)} />
      </p>
      <p className={page.soft}>
        {groupConfirmationWords.last} <When at={confirmedAt} /> · {groupConfirmationWords.next} <When at={dueAt} />
      </p>
      {members.length < group.members.length && <p className={page.soft}>{groupConfirmationWords.provided}</p>}
      {members.length > 0 && (
        <div className={page.actions}>
          <ReasonedButton
            permission={confirming}
            reasonId={id}
            isSending={save.isPending}
            onPress={() => save.mutate(digest)}
          >
            {groupConfirmationWords.confirm(members.length)}
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
  const save = useSave((body: SetConfirmation) =>
    call(groupConfirmationRoutes.setConfirmation, { params: { id: group.id }, body }),
  );
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
          label={groupConfirmationWords.days}
          description={groupConfirmationWords.daysNote}
          inputMode="numeric"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          autoComplete="off"
        />
        <NativeSelect
          label={groupConfirmationWords.addOwner}
          description={groupConfirmationWords.ownersNote}
          value=""
          data={[{ value: '', label: chooseUser }, ...userChoices({ users: others, me: me?.id })]}
          onChange={(event) => add(event.currentTarget.value)}
        />
      </fieldset>
      {owners.length > 0 && (
        <ul className={classes.members} aria-label={groupConfirmationWords.owners}>
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
          {groupConfirmationWords.save}
        </ReasonedButton>
        {save.isSuccess && <span className={page.soft}>{shared.saved}</span>}
      </div>
      <Reason id={id} permission={permission} />
    </>
  );
}

function GroupMembers({ group, permission }: { group: Group; permission: Permission }) {
  const users = useQuery(usersQuery).data ?? [];
  const [chosen, setChosen] = useState('');
  const me = useUser();
  const id = useId();
  const ownId = useId();
  const save = useSave((body: ChangeMembers) => call(usersRoutes.changeMembers, { params: { id: group.id }, body }));
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
