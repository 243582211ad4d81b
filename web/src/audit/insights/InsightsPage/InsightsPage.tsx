import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow } from '../../../client/call-api/call-api.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Insights } from '#audit/reports/contract/insights';
import { readInsights } from './insights.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { spacesQuery, useSpacesWith } from '../../../people/spaces/spaces/space-permission.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import tabs from '../../../shell/Tabs.module.css';
import { places } from '../../../ui/words/words.ts';
import { EndingsChart } from './EndingsChart.tsx';
import classes from '../Insights.module.css';
import { sinceFirst } from '../StackedChart/scale.ts';
import { boundsOf, everySpan, hasEnded, periodIn, periods } from './spans.ts';
import { SampleTable } from './SampleTable.tsx';
import { ToolTable } from './ToolTable.tsx';
import { Signals } from './Signals.tsx';
import { VoterTable } from './VoterTable.tsx';
import { WaitsChart } from './WaitsChart.tsx';
import { words } from '../words/words.ts';

/** How much was decided, by whom and how fast, and what of it deserves a look. */
export function InsightsPage() {
  const [search] = useSearchParams();
  const days = periodIn(search);
  const space = search.get('space');
  const reads = useUser()?.reads.insights ?? false;
  return (
    <div className={page.stack}>
      <PageHead title={places.insights} lead={words.lead} />
      {reads ? (
        <>
          <SpaceChoice days={days} space={space} />
          <Periods days={days} space={space} />
          <Period key={days} days={days} space={space} />
        </>
      ) : (
        <Notice tone="warn" title={words.reviewersOnly} />
      )}
    </div>
  );
}

interface Shown {
  days: number;
  /** Null: all servers that the person reads about. */
  space: string | null;
}

const addressOf = ({ days, space }: Shown): string =>
  `/insights?${new URLSearchParams({ days: String(days), ...(space !== null && { space }) }).toString()}`;

/** Offered where there is more than one choice. */
function SpaceChoice({ days, space }: Shown) {
  const navigate = useNavigate();
  const isAll = may(useUser(), 'read-log').allowed;
  const all = useQuery(spacesQuery).data ?? [];
  const own = useSpacesWith('read-log');
  const offered = isAll ? all : own;
  if (offered.length < (isAll ? 1 : 2)) return null;
  return (
    <NativeSelect
      label={words.space}
      value={space ?? ''}
      data={[
        { value: '', label: isAll ? words.everyServer : words.ownServers },
        ...offered.map(({ id, name }) => ({ value: id as string, label: name })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        void navigate(addressOf({ days, space: value || null }), { replace: true })
      }
      className={classes.space ?? ''}
    />
  );
}

const Periods = ({ days, space }: Shown) => (
  <nav aria-label={words.period} className={`${tabs.tabs} ${classes.periods}`}>
    {periods.map((period) => (
      <Link
        key={period}
        to={addressOf({ days: period, space })}
        replace
        aria-current={period === days ? 'page' : undefined}
        className={tabs.tab}
      >
        {words.periods[period]}
      </Link>
    ))}
  </nav>
);

function Period({ days, space }: Shown) {
  const [{ from, to }] = useState(() => boundsOf(days, serverNow()));
  const query = useQuery({
    queryKey: ['insights', from, to, space],
    queryFn: ({ signal }) => readInsights({ from, to, space }, signal),
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
