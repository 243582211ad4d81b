import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OverruleList } from '../../../../src/contract/deliberation.ts';
import { overrulesQuery } from '../../lib/queries.ts';
import { useIsLive } from '../../lib/use-live-inbox.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Age, TimeLeft } from '../../ui/Moment.tsx';
import page from '../../ui/Page.module.css';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './People.module.css';
import { emergencies as words } from './words.ts';

/** What was decided past its policy; the reviews that are due stand first. */
export function EmergenciesPage() {
  return (
    <div className={page.stack}>
      <header>
        <PageHeading title={words.title} className={page.title}>
          {words.title}
        </PageHeading>
        <p className={page.lead}>{words.lead}</p>
      </header>
      <Loaded query={useQuery(overrulesQuery(useIsLive()))}>
        {(overrules) =>
          overrules.length === 0 ? (
            <div className={page.empty}>
              <h2 className={page.subtitle}>{words.empty}</h2>
              <p>{words.emptyNote}</p>
            </div>
          ) : (
            <DataTable
              caption={words.title}
              columns={columns}
              rows={overrules}
              keyOf={({ elicitation }) => elicitation}
            />
          )
        }
      </Loaded>
    </div>
  );
}

const columns: Column<OverruleList['overrules'][number]>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ elicitation, tool, server }) => (
      <>
        <Link to={`/requests/${elicitation}`}>
          <Revealed text={tool} />
        </Link>
        <span className={classes.second}>
          <Revealed text={server} />
        </span>
      </>
    ),
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
