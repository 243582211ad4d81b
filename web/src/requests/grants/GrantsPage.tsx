import { useQuery } from '@tanstack/react-query';
import { grantRoutes, type Grant, type GrantList } from '#requests/grants/contract';
import { call } from '../../client/call.ts';
import { grantsQuery } from '../../people/users/directory-queries.ts';
import { may } from '../../people/roles/permission-table.ts';
import { useUser } from '../../people/users/use-user.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { TimeLeft } from '../../ui/Moment.tsx';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { RequestName } from '../deliberation/RequestName.tsx';
import unseen from '../../shell/Unseen.module.css';
import classes from '../../settings/Users.module.css';
import { useSave } from '../../settings/use-save.ts';
import { grants as words } from '../../settings/words/words.ts';

/** Calls that may run for a while without asking again, and the way to end that. */
export function GrantsPage() {
  const isCut = useQuery({ ...grantsQuery, select: (list) => list.isCut }).data ?? false;
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <LoadedList query={useQuery({ ...grantsQuery, select: ({ grants }) => grants })} words={words}>
        {(grants) => <Grants grants={grants} isCut={isCut} />}
      </LoadedList>
    </div>
  );
}

function Grants({ grants, isCut }: GrantList) {
  const permission = may(useUser(), 'decide');
  const revoke = useSave((id: string) => call(grantRoutes.revokeGrant, { params: { id } }), words.revoked);
  const review = useSave((id: string) => call(grantRoutes.reviewGrant, { params: { id } }), words.reviewed);
  const steps = (grant: Grant) =>
    grant.state === 'in-force' && (
      <div className={classes.steps}>
        <ReasonedButton
          permission={permission}
          reasonId="grants-reason"
          isQuiet
          onPress={() => revoke.mutate(grant.id)}
        >
          {words.revoke} <span className={unseen.unseen}>{grant.tool}</span>
        </ReasonedButton>
        {grant.reviewAt !== null && (
          <ReasonedButton
            permission={permission}
            reasonId="grants-reason"
            isQuiet
            onPress={() => review.mutate(grant.id)}
          >
            {words.review} <span className={unseen.unseen}>{grant.tool}</span>
          </ReasonedButton>
        )}
      </div>
    );
  return (
    <>
      {isCut && <Notice tone="warn" title={words.cut(grants.length)} />}
      {(revoke.isError || review.isError) && <ProblemNotice error={revoke.error ?? review.error} />}
      <DataTable
        caption={words.title}
        columns={[...columns, { head: words.steps, cell: steps }]}
        rows={grants}
        keyOf={({ id }) => id}
      />
      <Reason id="grants-reason" permission={permission} className={page.small} />
    </>
  );
}

const columns: Column<Grant>[] = [
  {
    head: words.what,
    isName: true,
    cell: ({ tool, server, elicitation, same }) => (
      <>
        <RequestName elicitation={elicitation} tool={tool} server={server} />
        {Object.entries(same).map(([name, value]) => (
          <span key={name} className={classes.second}>
            <Revealed text={`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`} />
          </span>
        ))}
      </>
    ),
  },
  {
    head: words.requester,
    cell: ({ requester, isHidden }) => <Revealed text={requester ?? (isHidden ? words.hidden : words.erased)} />,
  },
  {
    head: words.by,
    cell: ({ by, policy }) => (
      <div>
        <Revealed text={by.name} />
        <span className={classes.second}>{policy}</span>
      </div>
    ),
  },
  {
    head: words.left,
    cell: ({ usesLeft, budgetLeft, counts, expiresAt, reviewAt, state }) => (
      <div>
        {state === 'in-force' ? <TimeLeft until={expiresAt} /> : words.states[state]}
        {usesLeft !== null && <span className={classes.second}>{words.uses(usesLeft)}</span>}
        {budgetLeft !== null && <span className={classes.second}>{words.budget(budgetLeft, counts ?? '')}</span>}
        {state === 'in-force' && reviewAt !== null && (
          <span className={classes.second}>
            {words.due} <TimeLeft until={reviewAt} />
          </span>
        )}
      </div>
    ),
  },
];
