import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ShadowReport } from '#policies/contract/documents';
import { shadowQuery } from '../policy-queries/policy-queries.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { RowAge } from '../../ui/use-now/RowMoment.tsx';
import page from '../../ui/Page.module.css';
import classes from '../Policies.module.css';
import { shadow as words } from '../words/words.ts';

/** What the version that only watches would have done with real requests. */
export function ShadowResults({ name }: { name: string }) {
  return (
    <section className={classes.section}>
      <h2 className={page.subtitle}>{words.title}</h2>
      <Loaded query={useQuery(shadowQuery(name))}>
        {({ total, different, results }) => (
          <>
            <p>{words.total(total, different)}</p>
            {results.length > 0 && (
              <DataTable
                caption={words.title}
                columns={columns}
                rows={results}
                keyOf={({ elicitation }) => elicitation}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const columns: Column<ShadowReport['results'][number]>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ elicitation, at }) => (
      <Link to={`/requests/${elicitation}`}>
        <RowAge at={at} />
      </Link>
    ),
  },
  { head: words.live, cell: ({ live }) => live },
  { head: words.shadow, cell: ({ shadow }) => shadow },
];
