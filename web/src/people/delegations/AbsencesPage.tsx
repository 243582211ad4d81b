import { useQuery } from '@tanstack/react-query';
import { delegationRoutes, type Delegation, type NewDelegation } from '#people/delegations/contract';
import { call } from '../../client/call.ts';
import { delegationsQuery, usersQuery } from '../users/directory-queries.ts';
import { useNow } from '../../ui/use-now.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { When } from '../../ui/Moment.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { allowed, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import unseen from '../../shell/Unseen.module.css';
import classes from '../../settings/Users.module.css';
import { useSave } from '../../settings/use-save.ts';
import { away as words } from '../../settings/words/words.ts';
import { may } from '#people/directory/contract/permission';
import { useDraft } from '../../ui/carried-text.ts';
import { commaList } from '../../ui/comma-list.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { fieldFaults, textFields } from '../../ui/field-faults.ts';
import { describeTimeZone } from '../../ui/local-time.ts';
import { useUser } from '../users/use-user.ts';
import { FreshFactorsOrProblem } from '../../access/factors/FreshFactor.tsx';
import { chooseUser } from '../../ui/words/words.ts';

export function AbsencesPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <div className={classes.columns}>
        <AwayForm />
        <section className={classes.side}>
          <h2 className={page.subtitle}>{words.list}</h2>
          <Loaded query={useQuery(delegationsQuery)}>
            {(delegations) =>
              delegations.length === 0 ? (
                <p className={page.soft}>{words.empty}</p>
              ) : (
                <Delegations delegations={delegations} />
              )
            }
          </Loaded>
        </section>
      </div>
    </div>
  );
}

function Delegations({ delegations }: { delegations: Delegation[] }) {
  const now = useNow();
  const end = useSave((id: string) => call(delegationRoutes.revokeDelegation, { params: { id } }), words.revoked);
  const columns: Column<Delegation>[] = [
    {
      head: words.who,
      isName: true,
      cell: ({ from, to, note }) => (
        <>
          <Revealed text={words.votesFor(to.name, from.name)} />
          {note !== '' && (
            <span className={classes.second}>
              <Revealed text={note} />
            </span>
          )}
        </>
      ),
    },
    {
      head: words.when,
      cell: (delegation) => <Span {...delegation} now={now} />,
    },
    { head: words.which, cell: ({ policies }) => (policies.length === 0 ? words.all : policies.join(', ')) },
    {
      head: words.state,
      cell: (delegation) => {
        const state = stateOf(delegation, now);
        return (
          <div>
            <span>{words.states[state]}</span>
            {(state === 'now' || state === 'ahead') && (
              <EndButton delegation={delegation} onPress={() => end.mutate(delegation.id)} />
            )}
          </div>
        );
      },
    },
  ];
  return (
    <>
      {end.isError && <ProblemNotice error={end.error} />}
      <DataTable caption={words.table} columns={columns} rows={delegations} keyOf={({ id }) => id} />
    </>
  );
}

function Span({ startsAt, endsAt, revokedAt, now }: Delegation & { now: number }) {
  const end = revokedAt ?? endsAt;
  return (
    <div>
      {now < startsAt ? words.begins : words.began} <When at={startsAt} />
      <span className={classes.second}>
        {now < end ? words.ends : words.ended} <When at={end} />
      </span>
    </div>
  );
}

const EndButton = ({ delegation: { from, to }, onPress }: { delegation: Delegation; onPress: () => void }) => (
  <div>
    <ReasonedButton {...allowed} isQuiet onPress={onPress}>
      <span aria-hidden="true">{words.revoke}</span>
      <span className={unseen.unseen}>{words.revokeOf(to.name, from.name)}</span>
    </ReasonedButton>
  </div>
);

function stateOf({ startsAt, endsAt, revokedAt }: Delegation, now: number): keyof typeof words.states {
  if (revokedAt !== null) return 'revoked';
  if (now >= endsAt) return 'over';
  return now < startsAt ? 'ahead' : 'now';
}

const empty = { toId: '', startsAt: '', endsAt: '', policies: '', note: '' };

/** "I'm away": who votes for me, and from when until when. */
function AwayForm() {
  const me = useUser();
  const users = useQuery(usersQuery).data ?? [];
  const { field, save, send } = useAwayForm();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <section className={page.form}>
      <h2 className={page.subtitle}>{words.form}</h2>
      {save.isError && Object.keys(fieldFaults(save.error)).length === 0 && (
        <FreshFactorsOrProblem error={save.error} onDone={save.reset} />
      )}
      <form onSubmit={submit} className={page.form} noValidate>
        <NativeSelect
          {...field('toId')}
          label={words.to}
          description={words.toNote}
          data={[
            { value: '', label: chooseUser },
            ...users
              .filter((other) => other.id !== me?.id && other.disabledAt === null && may(other, 'decide'))
              .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
          ]}
        />
        <div className={classes.two}>
          <TextInput {...field('startsAt')} type="datetime-local" label={words.from} description={words.fromNote} />
          <TextInput
            {...field('endsAt')}
            type="datetime-local"
            label={words.until}
            description={describeTimeZone(field('endsAt').value)}
          />
        </div>
        <TextInput {...field('policies')} label={words.policies} description={words.policiesNote} autoComplete="off" />
        <TextInput {...field('note')} label={words.note} autoComplete="off" />
        <div className={page.actions}>
          <ReasonedButton {...allowed} isSending={save.isPending} onPress={send}>
            {words.submit}
          </ReasonedButton>
          {save.isSuccess && <span className={page.soft}>{words.handedOver}</span>}
        </div>
      </form>
    </section>
  );
}

/** Fields of the form, missing input, and sending. */
function useAwayForm() {
  const [draft, setDraft] = useDraft('away', empty);
  const [isTried, setIsTried] = useState(false);
  const save = useSave((body: NewDelegation) => call(delegationRoutes.delegate, { body }), words.handedOver);
  const faults = { ...fieldFaults(save.error), ...(isTried && missing(draft)) };
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }), faults);
  const send = () => {
    setIsTried(true);
    if (Object.keys(missing(draft)).length > 0) return;
    save.mutate(readDraft(draft), {
      onSuccess: () => {
        setDraft(empty);
        setIsTried(false);
      },
    });
  };
  return { field, save, send };
}

function missing({ toId, endsAt }: typeof empty): Partial<Record<string, string>> {
  return { ...(toId === '' && { toId: words.toMissing }), ...(endsAt === '' && { endsAt: words.untilMissing }) };
}

function readDraft({ toId, startsAt, endsAt, policies, note }: typeof empty): NewDelegation {
  const names = commaList(policies);
  return {
    toId,
    endsAt: new Date(endsAt).getTime(),
    ...(startsAt !== '' && { startsAt: new Date(startsAt).getTime() }),
    ...(names.length > 0 && { policies: names }),
    ...(note.trim() !== '' && { note: note.trim() }),
  };
}
