import { may } from '../../people/roles/permission-table.ts';
import { useQuery } from '@tanstack/react-query';
import type { LookBackList } from '#requests/deliberation/contract/deliberation';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { query } from '../../client/call.ts';
import { useUser } from '../../people/users/use-user.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { Age } from '../../ui/Moment.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { RequestName } from './RequestName.tsx';
import { lookBacks as words } from '../../settings/words/words.ts';

/** Calls allowed by policies and chosen for a later look; those not looked at yet first. */
export function LookBackPage() {
  const isReviewer = may(useUser(), 'watch-requests').allowed;
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      {isReviewer ? <LookBacks /> : <Notice tone="warn" title={words.approversNote} />}
    </div>
  );
}

function LookBacks() {
  const list = useQuery({ ...query(deliberationRoutes.listLookBacks), select: ({ lookBacks }) => lookBacks });
  return (
    <LoadedList query={list} words={words}>
      {(lookBacks) => (
        <DataTable caption={words.title} columns={columns} rows={lookBacks} keyOf={({ elicitation }) => elicitation} />
      )}
    </LoadedList>
  );
}

const columns: Column<LookBackList['lookBacks'][number]>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ elicitation, tool, server }) => <RequestName elicitation={elicitation} tool={tool} server={server} />,
  },
  { head: words.policy, cell: ({ policy }) => <Revealed text={policy} /> },
  { head: words.at, cell: ({ at }) => <Age at={at} /> },
  {
    head: words.review,
    cell: ({ reviewedAt }) =>
      reviewedAt === null ? (
        words.due
      ) : (
        <span>
          {words.reviewed} <Age at={reviewedAt} />
        </span>
      ),
  },
];
