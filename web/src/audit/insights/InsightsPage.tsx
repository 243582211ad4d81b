import { insightsRoutes, type Insights } from '#audit/reports/contract/insights';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow } from '../../client/call-api.ts';
import { query } from '../../client/call.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { may } from '../../people/roles/permission-table.ts';
import { spacesQuery, useSpacesWith } from '../../people/spaces/spaces.ts';
import { useUser } from '../../people/users/use-user.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import tabs from '../../shell/Tabs.module.css';
import { places, nameStatus } from '../../ui/words/words.ts';
import classes from './Insights.module.css';
import { sinceFirst, Chart, scaleOf, StackedChart } from './StackedChart.tsx';
import { words, formatWait } from './words/words.ts';
import { formats } from '../../language/language.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import charts from './Chart.module.css';
import waitsChartClasses from './Chart.module.css';
import { describeMoment } from '../../ui/relative-time.ts';
import { ownServer, testServer } from '#platform/model/names';

export type Span = Insights['spans'][number];

/** Periods to choose, in days. */
export const periods = [7, 30, 90, 365] as const;

/** Period in the address. */
export function periodIn(search: URLSearchParams): (typeof periods)[number] {
  return periods.find((days) => String(days) === search.get('days')) ?? 30;
}

/** Bounds of this many whole days in UTC, today included. */
export function boundsOf(days: number, now: number): { from: number; to: number } {
  const to = Math.floor(now / day) * day + day;
  return { from: to - days * day, to };
}

/** Every day or week of the period, also empty ones. */
export function everySpan({ spans, step }: Pick<Insights, 'spans' | 'step'>, from: number, to: number): Span[] {
  const counted = new Map(spans.map((span) => [span.at, span]));
  const length = step === 'day' ? day : 7 * day;
  // Weeks begin on Monday, and the first day of 1970 was a Thursday.
  const first = step === 'day' ? from : Math.floor((from + 3 * day) / length) * length - 3 * day;
  const starts = Array.from({ length: Math.ceil((to - first) / length) }, (_, at) => first + at * length);
  return starts.map((at) => counted.get(at) ?? { at, ...nothing });
}

/** Did anything end in it? */
export const hasEnded = ({ accepted, declined, cancelled, expired }: Span): boolean =>
  accepted + declined + cancelled + expired > 0;

const nothing = { accepted: 0, declined: 0, cancelled: 0, expired: 0, p50: null, p95: null };

/** Share of approvals among decisions of people, in percent; null if there are too few. */
export function approvalOf({ approved, rejected }: { approved: number; rejected: number }): number | null {
  const decided = approved + rejected;
  return decided < fewest ? null : (100 * approved) / decided;
}

/** Fewest decisions that support a rule. */
const fewest = 20;

/** Approval rate in percent above which a person may add little. */
const nearlyAlways = 95;

/** Figures of decisions: number, deciders, speed, and cases that deserve a look. */
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
  /** Null: all servers that the person can read. */
  space: string | null;
}

const addressOf = ({ days, space }: Shown): string =>
  `/insights?${new URLSearchParams({ days: String(days), ...(space !== null && { space }) }).toString()}`;

/** Choice of the space, shown if there are several. */
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
  const insights = useQuery({
    ...query(insightsRoutes.showInsights, { query: { from, to, ...(space !== null && { space }) } }),
    // Each request for it writes an entry of the log.
    staleTime: 60_000,
  });
  return <Loaded query={insights}>{(answer) => <Charts insights={answer} from={from} to={to} />}</Loaded>;
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

/** Later looks at calls allowed by policies: how many, and how often people should have been asked. */
function SampleTable({ samples }: Pick<Insights, 'samples'>) {
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

/** Address in Audit of the counted rows of a sentence. */
const address = (question: string, filter: Record<string, string>): string =>
  `/audit/${question}?${new URLSearchParams(filter).toString()}`;

/** A period in an address of Audit: whole minutes in UTC, the last one included. */
const minutesOf = (from: number, to: number) => ({ from: minuteOf(from), to: minuteOf(to) });
const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** Cases that deserve a look: many votes in a row too fast to read, and tools that asked very often. */
export function Signals({ insights: { runs, sprees, bursts, names, limits } }: { insights: Insights }) {
  const mayAsk = useUser()?.reads.log ?? false;
  const { runLength, burstSize, spreeSize, spreeWithin } = limits;
  const minutes = spreeWithin / 60_000;
  if (runs.length + sprees.length + bursts.length === 0)
    return <p className={classes.quiet}>{words.noSignals(runLength, spreeSize, minutes, burstSize)}</p>;
  const signals = [
    ...runs.map(({ person, server, votes, from, to }) => ({
      text: words.run(
        names[person] ?? person,
        server,
        votes,
        limits.hastyWithin / 1000,
        describeMoment(from),
        describeMoment(to),
      ),
      to: address('hasty', { person, ...(server !== null && { server }), ...minutesOf(from, to) }),
    })),
    ...sprees.map(({ person, server, approvals, at }) => ({
      text: words.spree(names[person] ?? person, server, approvals, minutes, describeMoment(at)),
      to: address('log', { person, ...(server !== null && { server }), ...minutesOf(at - spreeWithin, at) }),
    })),
    ...bursts.map(({ server, tool, at, requests }) => ({
      text: words.burst(tool, server, requests, describeMoment(at)),
      to: address('requests', { server, tool, ...minutesOf(at, at) }),
    })),
  ];
  return (
    <Notice tone="warn" title={words.signals(signals.length)}>
      <ul className={classes.signals}>
        {signals.map(({ text, to }) => (
          <li key={text}>
            <Revealed text={text} /> {mayAsk && <Link to={to}>{words.showThem}</Link>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

type Tool = Insights['tools'][number];

const kinds = ['accepted', 'declined', 'cancelled', 'expired'] as const;

/** Outcomes of each tool's requests, with rules that could decide. */
export function ToolTable({ tools }: { tools: Tool[] }) {
  const mayWrite = may(useUser(), 'write-policies').allowed;
  const highest = Math.max(1, ...tools.map(sumOf));
  return (
    <section className={charts.chart}>
      <h2 className={page.subtitle}>{words.tools}</h2>
      <DataTable
        caption={words.tools}
        columns={[
          { head: words.tool, isName: true, cell: nameOf },
          { head: words.outcomes, isLong: true, cell: (tool) => <Bar tool={tool} highest={highest} /> },
          ...kinds.map((kind): Column<Tool> => ({
            head: nameStatus(kind, null),
            isNumber: true,
            cell: (tool) => formats.number(tool[kind]),
          })),
          { head: words.p50, isNumber: true, cell: ({ p50 }) => formatWait(p50) },
          { head: words.p95, isNumber: true, cell: ({ p95 }) => formatWait(p95) },
          { head: words.rule, cell: (tool) => <Rule tool={tool} mayWrite={mayWrite} /> },
        ]}
        rows={tools}
        keyOf={({ server, tool }) => `${server} ${tool}`}
      />
    </section>
  );
}

const sumOf = (tool: Tool): number => kinds.reduce((sum, kind) => sum + tool[kind], 0);

const nameOf = ({ server, tool }: Tool) => (
  <>
    <Revealed text={tool} />
    <span className={classes.second}>
      <Revealed text={server} />
    </span>
  </>
);

/** Bar of the numbers in the next columns. */
function Bar({ tool, highest }: { tool: Tool; highest: number }) {
  const ends = kinds.map((kind, at) => kinds.slice(0, at).reduce((sum, before) => sum + tool[before], 0) + tool[kind]);
  return (
    <svg className={classes.rowBar} viewBox={`0 0 ${highest} 1`} preserveAspectRatio="none" aria-hidden="true">
      {kinds.map((kind: Ending, at) => (
        <rect
          key={kind}
          x={(ends[at] ?? 0) - tool[kind]}
          width={tool[kind]}
          height={1}
          data-tone={kind}
          className={charts.bar}
        />
      ))}
    </svg>
  );
}

function Rule({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  const approval = approvalOf(tool);
  const isBuiltIn = [ownServer.name, testServer.name].includes(tool.server);
  if (approval === null || approval <= nearlyAlways || isBuiltIn) return null;
  const search = new URLSearchParams({
    server: tool.server,
    tool: tool.tool,
    approved: String(tool.approved),
    decided: String(tool.approved + tool.rejected),
  });
  return (
    <>
      <span className={classes.second}>{words.approvedOf(Math.floor(approval * 10) / 10)}</span>
      {mayWrite && <Link to={`/new-policy?${search}`}>{words.makeRule}</Link>}
    </>
  );
}

interface VoterTableProps {
  insights: Insights;
  from: number;
  to: number;
}

const day = 86_400_000;
const iso = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Votes of each person, and those too fast for reading. */
function VoterTable({ insights: { voters, names, limits }, from, to }: VoterTableProps) {
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

const lines = ['p50', 'p95'] as const;

/** Time to decide, over time. */
function WaitsChart({ spans }: { spans: Span[] }) {
  const { top, cutFrom } = scaleOf(spans.map(({ p95 }) => p95 ?? 0));
  const isCut = ({ p95 }: Span): boolean => cutFrom !== null && (p95 ?? 0) > top;
  return (
    <Chart<Span>
      title={words.waits}
      top={formatWait(top)}
      cut={spans.filter(isCut).map(({ at, p95 }) => ({ at, value: formatWait(p95) }))}
      spans={spans}
      legend={lines.map((line) => ({ name: words[line], tone: line }))}
      columns={lines.map((line) => ({ head: words[line], isNumber: true, cell: (span) => formatWait(span[line]) }))}
    >
      {lines.map((line) => (
        <path key={line} d={pathOf(spans, line, top)} data-tone={line} className={waitsChartClasses.line} />
      ))}
    </Chart>
  );
}

/** A line through the known values, with a dot for a day without neighbours. */
function pathOf(spans: Span[], line: (typeof lines)[number], top: number): string {
  const points = spans.map((span, at) => {
    const wait = span[line];
    return wait === null ? null : `${at + 0.5} ${(100 - 96 * Math.min(1, wait / top)).toFixed(2)}`;
  });
  return points
    .map((point, at) => (point === null ? '' : points[at - 1] ? `L ${point}` : `M ${point} h 0.001`))
    .join(' ');
}

export type Ending = 'accepted' | 'declined' | 'cancelled' | 'expired';

interface EndingsChartProps {
  title: string;
  kinds: Ending[];
  spans: Span[];
}

/** Requests by ending, over time. */
const EndingsChart = ({ title, kinds, spans }: EndingsChartProps) => (
  <StackedChart<Span>
    title={title}
    formatTop={words.most}
    spans={spans}
    parts={kinds.map((kind) => ({ name: nameStatus(kind, null), tone: kind, countOf: (span) => span[kind] }))}
  />
);
