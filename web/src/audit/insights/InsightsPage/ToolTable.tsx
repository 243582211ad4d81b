import { Link } from 'react-router';
import type { Insights } from '#audit/reports/contract/insights';
import { ownServer, testServer } from '#platform/model/names';
import { formats } from '../../../language/language.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import page from '../../../ui/Page.module.css';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { nameStatus } from '../../../ui/words/words.ts';
import type { Ending } from './EndingsChart.tsx';
import classes from '../Insights.module.css';
import charts from '../Chart.module.css';
import { approvalOf, nearlyAlways } from './spans.ts';
import { formatWait, words } from '../words/words.ts';

type Tool = Insights['tools'][number];

const kinds = ['accepted', 'declined', 'cancelled', 'expired'] as const;

/** What became of the requests of each tool, and for which a rule could decide. */
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

/** The columns next to it say the same in numbers. */
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
