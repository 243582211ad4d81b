import { Link } from 'react-router';
import type { Simulation } from '../../../../../src/contract/policies/policy.ts';
import { sentences } from '../../../lib/language/sentences.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { RowAge } from '../../../ui/RowMoment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import { risks } from '../../../ui/words/words.ts';
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
  { head: words.now, cell: (request) => <Verdict request={request} side="live" /> },
  {
    head: words.withDraft,
    cell: (request) => (
      <div data-differs={request.differs} className={classes.then}>
        <Verdict request={request} side="draft" />
      </div>
    ),
  },
  { head: words.ended, cell: ({ ended }) => (ended === null ? words.open : words.endings[ended]) },
];

/** What is decided, and what this side alone demands where both decide alike. */
function Verdict({ request: { live, draft, changes }, side }: { request: Request; side: 'live' | 'draft' }) {
  const { outcome, policy, stages, reason, risk } = { live, draft }[side];
  const details = [
    ...(live.risk === draft.risk ? [] : [risks[risk]]),
    ...(live.outcome === draft.outcome ? changes[side].map(sentences.clause) : []),
    ...(reason === null ? [] : [reason]),
    policy,
  ];
  return (
    <div>
      {outcome === 'require' ? words.requires(stages) : words.outcomes[outcome]}
      {details.map((text) => (
        <span key={text} className={classes.second}>
          <Revealed text={text} />
        </span>
      ))}
    </div>
  );
}
