import { Link } from 'react-router';
import type { Insights } from '#audit/reports/contract/insights';
import { formats } from '../../../language/language.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import charts from '../Chart.module.css';
import { words } from '../words/words.ts';

/** How much of what policies allow people looked at later, and how often they should have been asked. */
export function SampleTable({ samples }: Pick<Insights, 'samples'>) {
  const mayReview = may(useUser(), 'watch-requests').allowed;
  if (samples.length === 0) return null;
  return (
    <section className={charts.chart}>
      <h2 className={page.subtitle}>{words.samples}</h2>
      <p className={page.small}>
        {words.samplesNote} {mayReview && <Link to="/settings/look-back">{words.samplesList}</Link>}
      </p>
      <DataTable
        caption={words.samples}
        columns={[
          { head: words.policy, isName: true, cell: ({ policy }) => <Revealed text={policy} /> },
          { head: words.allowed, isNumber: true, cell: ({ allowed }) => formats.number(allowed) },
          { head: words.drawn, isNumber: true, cell: ({ drawn }) => formats.number(drawn) },
          { head: words.reviewed, isNumber: true, cell: ({ reviewed }) => formats.number(reviewed) },
          { head: words.wrong, isNumber: true, cell: ({ wrong }) => formats.number(wrong) },
          {
            head: words.share,
            isNumber: true,
            cell: ({ reviewed, wrong }) =>
              reviewed === 0 ? words.none : formats.percent(Math.round((100 * wrong) / reviewed)),
          },
        ]}
        rows={samples}
        keyOf={({ policy }) => policy}
      />
    </section>
  );
}
