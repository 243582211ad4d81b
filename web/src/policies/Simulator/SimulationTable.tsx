import { Link } from 'react-router';
import type { Simulation } from '#policies/contract/documents';
import { sentences } from '../../language/sentences.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { RowAge } from '../../ui/use-now/RowMoment.tsx';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import { risks } from '../../ui/words/words.ts';
import { groupRequests, type RequestGroup } from './group-requests.ts';
import classes from '../Policies.module.css';
import { simulator as words } from '../words/words.ts';

type Request = Simulation['requests'][number];

/** One row for all that come out alike. */
export const SimulationTable = ({ requests }: { requests: Request[] }) => (
  <DataTable caption={words.table} columns={columns} rows={groupRequests(requests)} keyOf={({ key }) => key} />
);

const columns: Column<RequestGroup>[] = [
  {
    head: words.request,
    isName: true,
    cell: ({ count, first: { elicitation, tool, server, at } }) => (
      <>
        {elicitation === null ? (
          <Revealed text={tool} />
        ) : (
          <Link to={`/requests/${elicitation}`} target="_blank" rel="noopener">
            <Revealed text={tool} />
          </Link>
        )}
        <span className={classes.second}>
          <Revealed text={server} />
        </span>
        <span className={classes.second}>
          {words.alike(count)} {at !== null && <RowAge at={at} />}
        </span>
      </>
    ),
  },
  { head: words.now, cell: ({ first }) => <Verdict request={first} side="live" /> },
  {
    head: words.withDraft,
    cell: ({ first }) => (
      <div data-differs={first.differs} className={classes.then}>
        <Verdict request={first} side="draft" />
      </div>
    ),
  },
  {
    head: words.ended,
    cell: ({ endings }) => (
      <ul>
        {endings.map(([ended, count]) => (
          <li key={ended}>{words.endedSo(ended, count)}</li>
        ))}
      </ul>
    ),
  },
];

/** What is decided, and what this side alone demands where both decide alike. */
function Verdict({ request: { live, draft, changes }, side }: { request: Request; side: 'live' | 'draft' }) {
  const { outcome, policy, rule, stages, reason, risk } = { live, draft }[side];
  const details = [
    ...(live.risk === draft.risk ? [] : [risks[risk]]),
    ...(live.outcome === draft.outcome ? changes[side].map(sentences.clause) : []),
    ...(reason === null ? [] : [reason]),
    words.by(policy, rule),
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
