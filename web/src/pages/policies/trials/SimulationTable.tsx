import { Link } from 'react-router';
import type { SimulatedVerdict, Simulation } from '../../../../../src/contract/policies/policy.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { RowAge } from '../../../ui/RowMoment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from '../text/Policies.module.css';
import { simulator as words } from '../text/words.ts';

type Request = Simulation['requests'][number];

export const SimulationTable = ({ requests }: { requests: Request[] }) => (
  <DataTable
    caption={words.table}
    columns={columns}
    rows={requests}
    keyOf={({ elicitation, name }) => elicitation ?? name ?? ''}
  />
);

const columns: Column<Request>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ elicitation, tool, server, at }) => (
      <>
        {elicitation === null ? (
          <Revealed text={tool} />
        ) : (
          <Link to={`/requests/${elicitation}`} target="_blank" rel="noopener">
            <Revealed text={tool} />
          </Link>
        )}
        <span className={classes.second}>
          <Revealed text={server} /> {at !== null && <RowAge at={at} />}
        </span>
      </>
    ),
  },
  { head: words.now, cell: ({ live }) => <Verdict verdict={live} /> },
  {
    head: words.withDraft,
    cell: ({ draft, differs }) => (
      <div data-differs={differs} className={classes.then}>
        <Verdict verdict={draft} />
      </div>
    ),
  },
  { head: words.ended, cell: ({ ended }) => (ended === null ? words.open : words.endings[ended]) },
];

const Verdict = ({ verdict: { outcome, policy, rule, stages, reason } }: { verdict: SimulatedVerdict }) => (
  <div>
    {outcome === 'require' ? words.requires(stages) : words.outcomes[outcome]}
    {reason !== null && (
      <span className={classes.second}>
        <Revealed text={reason} />
      </span>
    )}
    <span className={classes.second}>{words.by(policy, rule)}</span>
  </div>
);
