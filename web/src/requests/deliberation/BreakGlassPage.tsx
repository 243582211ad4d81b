import { useQuery } from '@tanstack/react-query';
import type { BreakGlassList } from '#requests/deliberation/contract/deliberation';
import { breakGlassQuery } from '../../shell/queries.ts';
import { useIsLive } from '../inbox/use-live-inbox.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import { Age, TimeLeft } from '../../ui/Moment.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { RequestName } from './RequestName.tsx';
import { breakGlass as words } from '../../settings/words/words.ts';

/** Requests decided by an emergency override; those due for review first. */
export function BreakGlassPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <LoadedList query={useQuery(breakGlassQuery(useIsLive()))} words={words}>
        {(breakGlass) => (
          <DataTable
            caption={words.title}
            columns={columns}
            rows={breakGlass}
            keyOf={({ elicitation }) => elicitation}
          />
        )}
      </LoadedList>
    </div>
  );
}

const columns: Column<BreakGlassList['breakGlass'][number]>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ elicitation, tool, server }) => <RequestName elicitation={elicitation} tool={tool} server={server} />,
  },
  { head: words.by, cell: ({ by }) => <Revealed text={by.name} /> },
  { head: words.at, cell: ({ at }) => <Age at={at} /> },
  {
    head: words.review,
    cell: ({ reviewedAt, reviewDueAt }) =>
      reviewedAt === null ? (
        <span>
          {words.due} <TimeLeft until={reviewDueAt} />
        </span>
      ) : (
        <span>
          {words.reviewed} <Age at={reviewedAt} />
        </span>
      ),
  },
];
