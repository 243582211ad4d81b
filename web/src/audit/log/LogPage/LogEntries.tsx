import { Link } from 'react-router';
import type { LogEntry, LogPage } from '#audit/search/contract';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { actorName } from '../actor-name.ts';
import classes from '../Audit.module.css';
import { PassedArguments } from './PassedArguments.tsx';
import { columns as heads, log, types } from '../words/words.ts';

type Row = LogEntry & { names: LogPage['names']; key: string };

/** Entries of the log, with absolute times, people by name, and their places. */
export function LogEntries({ pages }: { pages: LogPage[] }) {
  const rows = pages.flatMap(({ entries, names }, page) =>
    entries.map((entry, at) => ({ ...entry, names, key: `${page} ${at}` })),
  );
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={log.title}>
      <DataTable caption={log.entries} columns={columns()} rows={rows} keyOf={({ key }) => key} />
    </div>
  );
}

const columns = (): Column<Row>[] => [
  { head: log.what, isName: true, cell: ({ entry }) => (entry ? (types[entry.type] ?? entry.type) : log.unreadable) },
  { head: log.when, cell: ({ entry }) => entry && <Time at={entry.at} /> },
  { head: log.by, cell: ({ entry, names }) => entry && <Revealed text={actorName(entry.actor, names)} /> },
  { head: heads['server'] ?? '', cell: ({ server }) => server && <Revealed text={server} /> },
  { head: heads['tool'] ?? '', cell: ({ tool }) => tool && <Revealed text={tool} /> },
  { head: heads['request'] ?? '', cell: ({ entry }) => <Content entry={entry} /> },
  { head: log.place, cell: ({ place }) => (place === null ? log.waits : log.entry(place + 1)) },
  { head: log.facts, isLong: true, cell: ({ entry }) => entry && <Facts entry={entry} /> },
];

/** In UTC and to the millisecond, as the log has it. */
const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className={classes.time}>
    {at.replace('T', ' ').replace('Z', '')}
  </time>
);

/** Of an entry about who read a request, or tried to. */
function readRequest(entry: LogEntry['entry']): unknown {
  const about = entry?.['about'];
  const first: unknown = Array.isArray(about) ? about[0] : undefined;
  return typeof first === 'string' && first.startsWith('eli_') ? first : undefined;
}

/** What an entry is about: a request, or a call that passed with its arguments. */
const Content = ({ entry }: Pick<Row, 'entry'>) =>
  entry?.type === 'call.passed' && typeof entry['said'] === 'string' ? (
    <PassedArguments id={entry.id} />
  ) : (
    <Request id={entry?.['elicitation'] ?? readRequest(entry)} />
  );

const Request = ({ id }: { id: unknown }) =>
  typeof id === 'string' && (
    <Link to={`/audit/requests/${id}`} className={classes.id}>
      {id}
    </Link>
  );

const Facts = ({ entry }: { entry: NonNullable<LogEntry['entry']> }) => (
  <details className={classes.facts}>
    <summary>{log.show}</summary>
    <pre tabIndex={0}>
      <Revealed text={JSON.stringify(entry, null, 2)} />
    </pre>
  </details>
);
