import { Link } from 'react-router';
import type { Insights } from '#audit/reports/contract/insights';
import { formats } from '../../../language/language.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import charts from '../Chart.module.css';
import { words } from '../words/words.ts';

interface VoterTableProps {
  insights: Insights;
  from: number;
  to: number;
}

const day = 86_400_000;
const iso = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Who voted how often, and how much of it too soon to have read anything. */
export function VoterTable({ insights: { voters, names, limits }, from, to }: VoterTableProps) {
  const seconds = limits.hastyWithin / 1000;
  const mayAsk = useUser()?.reads.log ?? false;
  return (
    <section className={charts.chart}>
      <h2 className={page.subtitle}>{words.hasty(seconds)}</h2>
      <p className={page.small}>
        {words.hastyNote}{' '}
        {mayAsk && <Link to={`/audit/hasty?from=${iso(from)}&to=${iso(to - day)}`}>{words.hastyList}</Link>}
      </p>
      <DataTable
        caption={words.hasty(seconds)}
        columns={[
          { head: words.person, isName: true, cell: ({ person }) => <Revealed text={names[person] ?? person} /> },
          { head: words.votes, isNumber: true, cell: ({ votes }) => formats.number(votes) },
          { head: words.hastyVotes, isNumber: true, cell: ({ hasty }) => formats.number(hasty) },
          {
            head: words.share,
            isNumber: true,
            cell: ({ votes, hasty }) => formats.percent(Math.round((100 * hasty) / votes)),
          },
        ]}
        rows={voters}
        keyOf={({ person }) => person}
      />
    </section>
  );
}
