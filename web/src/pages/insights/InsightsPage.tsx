import { may } from '../../lib/permission-table.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Insights } from '#protocol/contract/insights-routes';
import { readInsights } from '../../api/insights.ts';
import { useUser } from '../../lib/use-user.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead.tsx';
import tabs from '../../ui/page/Tabs.module.css';
import { places } from '../../ui/words/words.ts';
import { EndingsChart } from './EndingsChart.tsx';
import classes from './Insights.module.css';
import { sinceFirst } from '../../ui/charts/scale.ts';
import { boundsOf, everySpan, hasEnded, periodIn, periods } from './spans.ts';
import { SampleTable } from './SampleTable.tsx';
import { ToolTable } from './ToolTable.tsx';
import { Signals } from './Signals.tsx';
import { VoterTable } from './VoterTable.tsx';
import { WaitsChart } from './WaitsChart.tsx';
import { words } from './words/words.ts';

/** How much was decided, by whom and how fast, and what of it deserves a look. */
export function InsightsPage() {
  const days = periodIn(useSearchParams()[0]);
  const isApprover = !may(useUser(), 'read-log').allowed;
  return (
    <div className={page.stack}>
      <PageHead title={places.insights} lead={words.lead} />
      {isApprover ? (
        <Notice tone="warn" title={words.reviewersOnly} />
      ) : (
        <>
          <Periods days={days} />
          <Period key={days} days={days} />
        </>
      )}
    </div>
  );
}

const Periods = ({ days }: { days: number }) => (
  <nav aria-label={words.period} className={`${tabs.tabs} ${classes.periods}`}>
    {periods.map((period) => (
      <Link
        key={period}
        to={`/insights?days=${period}`}
        replace
        aria-current={period === days ? 'page' : undefined}
        className={tabs.tab}
      >
        {words.periods[period]}
      </Link>
    ))}
  </nav>
);

function Period({ days }: { days: number }) {
  const [{ from, to }] = useState(() => boundsOf(days, Date.now()));
  const query = useQuery({
    queryKey: ['insights', from, to],
    queryFn: ({ signal }) => readInsights(from, to, signal),
    // Each time it is asked makes an entry of the log.
    staleTime: 60_000,
  });
  return <Loaded query={query}>{(insights) => <Charts insights={insights} from={from} to={to} />}</Loaded>;
}

function Charts({ insights, from, to }: { insights: Insights; from: number; to: number }) {
  const spans = sinceFirst(everySpan(insights, from, to), hasEnded);
  if (insights.spans.length === 0 && insights.bursts.length === 0)
    return (
      <div className={page.empty} role="status">
        <h2 className={page.subtitle}>{words.empty}</h2>
        <p>{words.emptyNote}</p>
      </div>
    );
  return (
    <>
      <Signals insights={insights} />
      <EndingsChart title={words.decisions} kinds={['accepted', 'declined', 'cancelled', 'expired']} spans={spans} />
      <WaitsChart spans={spans} />
      <EndingsChart title={words.expiries} kinds={['expired']} spans={spans} />
      <ToolTable tools={insights.tools} />
      <SampleTable samples={insights.samples} />
      <VoterTable insights={insights} from={from} to={to} />
    </>
  );
}
