import { useQuery } from '@tanstack/react-query';
import type { Delegation } from '#people/delegations/contract';
import { revokeDelegation } from '../../users/directory.ts';
import { delegationsQuery } from '../../users/directory-queries.ts';
import { useNow } from '../../../ui/use-now/use-now.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { When } from '../../../ui/Moment.tsx';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { allowed, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import unseen from '../../../shell/Unseen.module.css';
import { AwayForm } from './AwayForm.tsx';
import classes from '../../../settings/Users.module.css';
import { useSave } from '../../../settings/use-save.ts';
import { away as words } from '../../../settings/words/words.ts';

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
  const end = useSave(revokeDelegation, words.revoked);
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
