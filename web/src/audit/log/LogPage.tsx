import { Button, TextInput, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useSearchParams, Link } from 'react-router';
import { call } from '../../client/call.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import classes from './Audit.module.css';
import { NeverThere, NameField, PersonField, ServerField, TimeField } from './NarrowingFields.tsx';
import { log, words, columns as heads, types } from './words/words.ts';
import { useState, type SubmitEvent } from 'react';
import { fieldFaults, textFields } from '../../ui/field-faults.ts';
import { Revealed } from '../../ui/Revealed.tsx';
import { auditRoutes, type LogEntry, type LogPage as LogAnswer, LogQuery } from '#audit/search/contract';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { actorName } from './actor-name.ts';
import { statuses } from '#requests/asking/contract/elicitation';
import { since, until } from './report-search.ts';

/** A search in the log, with its filters in the address. */
export function LogPage() {
  const [search, setSearch] = useSearchParams();
  const draft = logDraftIn(search);
  const query = logQueryOf(draft);
  return (
    <div className={classes.page}>
      <PageHead title={log.title} lead={log.lead} back={{ to: '/audit', text: words.back }} />
      <LogForm key={search.toString()} draft={draft} onSearch={(next) => setSearch(logSearchOf(next))} />
      {query ? <Answer query={query} /> : <Notice tone="warn" title={log.wrongAddress} />}
    </div>
  );
}

function Answer({ query }: { query: LogSearch }) {
  const answer = useInfiniteQuery({
    queryKey: ['log', query],
    queryFn: ({ pageParam, signal }) =>
      call(auditRoutes.searchLog, { query: { ...query, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  return (
    <Loaded query={answer}>
      {({ pages }) => (
        <section aria-label={log.entries} className={classes.answer}>
          {pages[0]?.entries.length === 0 ? (
            <Nothing unknown={pages[0].unknown} query={query} />
          ) : (
            <LogEntries pages={pages} />
          )}
          {answer.hasNextPage && (
            <Button
              variant="default"
              className={classes.show}
              loading={answer.isFetchingNextPage}
              onClick={() => void answer.fetchNextPage()}
            >
              {log.more}
            </Button>
          )}
        </section>
      )}
    </Loaded>
  );
}

function Nothing({ unknown, query }: { unknown: string[]; query: LogSearch }) {
  const values: Record<string, unknown> = query;
  if (unknown.length === 0) return <Empty />;
  return <NeverThere unknown={unknown} valueOf={(filter) => String(values[filter] ?? '')} />;
}

const Empty = () => (
  <div className={page.empty} role="status">
    <h2 className={page.subtitle}>{log.empty}</h2>
    <p>{log.emptyNote}</p>
  </div>
);

/** The arguments of a call that ran by a pass, for readers who give a reason. `id` is that of its entry. */
function PassedArguments({ id }: { id: string }) {
  const [reason, setReason] = useState('');
  const read = useMutation({
    mutationFn: () => call(deliberationRoutes.readPassedCall, { params: { id }, body: { reason } }),
  });
  const fault = fieldFaults(read.error)['reason'];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    read.mutate();
  };
  return (
    <details className={classes.facts}>
      <summary>{log.passed.title}</summary>
      {read.data ? (
        <PassedContent {...read.data} />
      ) : (
        <form onSubmit={submit} noValidate className={page.form}>
          {read.isError && fault === undefined && <ProblemNotice error={read.error} />}
          <TextInput
            label={log.passed.reason}
            description={log.passed.note}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={fault}
            autoComplete="off"
          />
          <Button type="submit" variant="default" loading={read.isPending}>
            {log.passed.read}
          </Button>
        </form>
      )}
    </details>
  );
}

function PassedContent({ arguments: text, length }: { arguments: string; length: number }) {
  return (
    <>
      <pre tabIndex={0}>
        <Revealed text={text} />
      </pre>
      {length > text.length && <p>{log.passed.cut(text.length, length)}</p>}
    </>
  );
}

type Row = LogEntry & { names: LogAnswer['names']; key: string };

/** Entries of the log, with absolute times, names of people, and places. */
function LogEntries({ pages }: { pages: LogAnswer[] }) {
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

/** Time in UTC to the millisecond, as in the log. */
const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className={classes.time}>
    {at.replace('T', ' ').replace('Z', '')}
  </time>
);

/** The request in an entry about reading, or an attempt to read. */
function readRequest(entry: LogEntry['entry']): unknown {
  const about = entry?.['about'];
  const first: unknown = Array.isArray(about) ? about[0] : undefined;
  return typeof first === 'string' && first.startsWith('eli_') ? first : undefined;
}

/** Subject of an entry: a request, or a passed call with its arguments. */
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

/** Filters of a search; every field may stay empty. */
function LogForm({ draft: first, onSearch }: { draft: LogDraft; onSearch: (draft: LogDraft) => void }) {
  const [draft, setDraft] = useState(first);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }));
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSearch(draft);
  };
  const outcomes = [
    { value: '', label: words.everyone },
    ...statuses.map((status) => ({ value: status, label: log.outcomes[status] })),
  ];
  const idField = { autoComplete: 'off', spellCheck: false };
  return (
    <form onSubmit={onSubmit} className={classes.form} role="search" aria-label={log.title}>
      <TimeField label={words.from} max={draft.to} {...field('from')} />
      <TimeField label={words.to} min={draft.from} {...field('to')} />
      <PersonField isNeeded={false} {...field('person')} />
      <NameField label={words.tool} names="tools" {...field('tool')} />
      <ServerField {...field('server')} />
      <NameField label={words.policy} names="policies" {...field('policy')} />
      <NativeSelect label={log.outcome} data={outcomes} {...field('outcome')} />
      <TextInput
        label={log.request}
        {...idField}
        pattern="\s*eli_[\w\-]+\s*"
        title={log.wrongRequest}
        {...field('request')}
      />
      <TextInput label={log.digest} {...idField} pattern={digestPattern} title={log.wrongDigest} {...field('digest')} />
      <Button type="submit" variant="default" className={classes.show}>
        {log.search}
      </Button>
      <p className={`${page.small} ${classes.hint}`}>{words.period}</p>
    </form>
  );
}

const digestPattern = String.raw`\s*[0-9a-f]{64}\s*`;

const fields = ['from', 'to', 'person', 'tool', 'server', 'policy', 'outcome', 'request', 'digest'] as const;
type LogField = (typeof fields)[number];

/** Filters of a search, in its form and its address; an empty text is no filter. */
type LogDraft = Record<LogField, string>;

const logDraftIn = (search: URLSearchParams): LogDraft =>
  Object.fromEntries(fields.map((name) => [name, search.get(name)?.trim() ?? ''])) as LogDraft;

/** The shortest address of the draft. */
const logSearchOf = (draft: LogDraft): URLSearchParams =>
  new URLSearchParams(fields.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]])));

/** Query for the server: days are in UTC, and the last one counts whole. Null if an address made by hand is wrong. */
function logQueryOf(draft: LogDraft) {
  const query = logSearchOf(draft);
  if (draft.from !== '') query.set('from', String(since(draft.from)));
  if (draft.to !== '') query.set('to', String(until(draft.to)));
  return LogQuery.safeParse(Object.fromEntries(query)).data ?? null;
}

type LogSearch = NonNullable<ReturnType<typeof logQueryOf>>;
