import { useQuery } from '@tanstack/react-query';
import { useState, lazy, Suspense, Fragment, type ReactNode, type SubmitEvent } from 'react';
import { serverNow } from '../../client/call-api.ts';
import { useParams, useSearchParams, Link } from 'react-router';
import { reportIds, type ReportId, requestOutcomes, type reportFilters } from '#audit/reports/contract/report';
import { query } from '../../client/call.ts';
import { addressOfCall, type CallOf } from '#platform/http/contract/call';
import { usersQuery } from '../../people/users/directory-queries.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import classes from './Audit.module.css';
import { formatQuestion } from './format-question.ts';
import { Printed } from './Instant.tsx';
import { draftIn, queryOf, searchOf, type ReportDraft, fieldsOf, isAboutMoment } from './report-search.ts';
import { log, questions, words, codes, columns as heads, outcomeNames } from './words/words.ts';
import { auditRoutes, type Report } from '#audit/search/contract';
import { describeMoment } from '../../ui/relative-time.ts';
import { Revealed } from '../../ui/Revealed.tsx';
import { namePolicy } from '../../ui/words/words.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import page from '../../ui/Page.module.css';
import { NeverThere, HoursField, NameField, PersonField, ServerField, TimeField } from './NarrowingFields.tsx';
import { countRows } from './report-days.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { textFields } from '../../ui/field-faults.ts';

/** One of the common questions, its filters, and its answer. */
export function ReportPage() {
  const { question } = useParams();
  const id = reportIds.find((candidate) => candidate === question);
  if (!id) return <MissingPage words={words} back={back} />;
  return <Question key={id} id={id} />;
}

const back = { to: '/audit', text: words.back };

function Question({ id }: { id: ReportId }) {
  const [search, setSearch] = useSearchParams();
  const [now] = useState(serverNow);
  const draft = draftIn(id, search, now);
  const narrowing = queryOf(id, draft);
  const isComplete = id !== 'access' || draft.person !== '';
  const people = useQuery(usersQuery).data ?? [];
  const show = (next: ReportDraft): void => setSearch(searchOf(id, next));
  return (
    <div className={classes.page}>
      <PageHead title={questions[id].title} lead={questions[id].note} back={back} />
      <ReportForm key={search.toString()} id={id} draft={draft} onShow={show} />
      <p className={classes.paper}>{formatQuestion({ id, draft }, people)}</p>
      {narrowing ? (
        <Answer id={id} narrowing={narrowing} />
      ) : (
        isComplete && <Notice tone="warn" title={log.wrongAddress} />
      )}
      <Printed />
    </div>
  );
}

function Answer({ id, narrowing }: { id: ReportId; narrowing: URLSearchParams }) {
  const call = callOf(id, narrowing);
  const report = useQuery(query(auditRoutes.runReport, call));
  return <Loaded query={report}>{(answer) => <ReportAnswer call={call} report={answer} />}</Loaded>;
}

type ReportCall = CallOf<typeof auditRoutes.runReport>;

/** Call with the typed text unchanged: the server refuses invalid filters. */
const callOf = (id: ReportId, narrowing: URLSearchParams): ReportCall => ({
  params: { id },
  query: Object.fromEntries(narrowing) as NonNullable<ReportCall['query']>,
});

interface ReportCellProps {
  column: Report['columns'][number];
  cell: Report['rows'][number][number];
  names: Report['names'];
}

/** One cell of an answer. Times are absolute: on paper "8 min ago" proves nothing. */
function ReportCell({ column: { name, kind }, cell, names }: ReportCellProps) {
  if (cell === null || cell === '' || (Array.isArray(cell) && cell.length === 0)) return null;
  if (kind === 'people' && Array.isArray(cell))
    return <Revealed text={cell.map((id) => nameIn(names, id)).join(', ')} />;
  if (Array.isArray(cell)) return <Lines lines={cell} isText={name === 'groups'} />;
  if (typeof cell === 'boolean') return cell ? words.yes : words.no;
  if (typeof cell === 'number') return <Figure kind={kind} value={cell} />;
  if (kind === 'person') return <Revealed text={nameIn(names, cell)} />;
  if (kind === 'requester') return <Requester hash={cell} name={names[cell]} />;
  if (kind === 'request')
    return (
      <Link to={`/audit/requests/${cell}`} className={classes.id}>
        {cell}
      </Link>
    );
  return <Revealed text={name === 'policy' ? namePolicy(cell) : (codes[name]?.[cell] ?? cell)} />;
}

function Figure({ kind, value }: { kind: Report['columns'][number]['kind']; value: number }) {
  if (kind === 'seconds') return words.seconds(value);
  if (kind !== 'time') return String(value);
  return (
    <time dateTime={new Date(value).toISOString()} className={classes.time}>
      {describeMoment(value)}
    </time>
  );
}

/** Name of a requester, or the first digits of their hash if no stored request names them any longer. */
const Requester = ({ hash, name }: { hash: string; name: string | undefined }) =>
  name === undefined ? (
    <code title={hash} className={classes.id}>
      {hash.slice(0, 12)}…
    </code>
  ) : (
    <span title={hash}>
      <Revealed text={name} />
    </span>
  );

const Lines = ({ lines, isText }: { lines: string[]; isText: boolean }) =>
  isText ? (
    <Revealed text={lines.join(', ')} />
  ) : (
    <span className={classes.lines}>
      {lines.map((line, at) => (
        <span key={at}>
          {indentOf(line)}
          <Revealed text={line.slice(indentOf(line).length)} />
        </span>
      ))}
    </span>
  );

/** Indentation of a line of a policy, where a space hides nothing. */
const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? '';

/** The name of a person, with their id if another person in the answer has the same name. */
export function nameIn(names: Record<string, string>, id: string): string {
  const name = names[id];
  if (name === undefined) return id;
  const hasNamesake = Object.entries(names).some(([other, same]) => other !== id && same === name);
  return hasNamesake ? `${name} (${id})` : name;
}

const ReportChart = lazy(async () => ({ default: (await import('./ReportChart.tsx')).ReportChart }));

interface ReportAnswerProps {
  call: ReportCall;
  report: Report;
}

/** Limit of rows on a page; the files have all. */
const maxShown = 200;

/** The answer as a chart, as a table, and as files to keep. */
function ReportAnswer({ call, report }: ReportAnswerProps) {
  const { id } = call.params;
  const values: Record<string, unknown> = { ...call.query };
  const { rows, isCut } = report;
  if (report.unknown.length > 0)
    return <NeverThere unknown={report.unknown} valueOf={(filter) => String(values[filter] ?? '')} />;
  if (rows.length === 0) return <NothingFound id={id} />;
  const isMore = rows.length > maxShown;
  const counted = countRows(report, Number(values['from']), Number(values['to']));
  return (
    <section aria-label={words.found(rows.length)} className={classes.answer}>
      <div className={classes.bar}>
        <h2 className={page.subtitle}>{words.found(rows.length)}</h2>
        <div className={page.actions}>
          {!isCut && (
            <a className={page.action} href={addressOfCall(auditRoutes.takeReport, call)} download={`${id}.csv`}>
              {words.asCsv}
            </a>
          )}
          <a className={page.action} href={addressOfCall(auditRoutes.runReport, call)} download={`${id}.json`}>
            {words.asJson}
          </a>
        </div>
      </div>
      {isCut && <Notice tone="warn" title={words.cut(rows.length)} />}
      {counted && (
        <Suspense fallback={<div className={classes.chartPlace} />}>
          <ReportChart counted={counted} />
        </Suspense>
      )}
      {isMore && !isCut && <p className={page.small}>{words.shown(maxShown, rows.length)}</p>}
      {id === 'own-approvals' ? (
        sortOwn(report).map(({ title, own }) => (
          <div key={title}>
            <h3>{words.counted(title, own.length)}</h3>
            {own.length > 0 && <Rows title={title} report={report} rows={own} />}
          </div>
        ))
      ) : (
        <Rows title={questions[id].title} report={report} rows={rows} />
      )}
    </section>
  );
}

/** Splits votes on own requests from those on requests by the voter's own key. */
function sortOwn({ columns, rows }: Report) {
  const place = columns.findIndex(({ name }) => name === 'by_key_maker');
  return [
    { title: words.ownRequest, own: rows.filter((cells) => cells[place] !== true) },
    { title: words.ownKey, own: rows.filter((cells) => cells[place] === true) },
  ];
}

function Rows({ title, report, rows }: { title: string; report: Report; rows: Report['rows'] }) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={title}>
      <DataTable
        caption={title}
        columns={columnsOf(report)}
        rows={rows.slice(0, maxShown).map((cells, at) => ({ cells, at }))}
        keyOf={({ at }) => String(at)}
      />
    </div>
  );
}

interface Row {
  cells: Report['rows'][number];
  at: number;
}

const columnsOf = ({ columns, rows, names }: Report): Column<Row>[] =>
  columns.flatMap((column, place) =>
    column.name === 'also_by' && rows.every((cells) => isEmpty(cells[place]))
      ? []
      : {
          head: heads[column.name] ?? column.name,
          isName: place === 0,
          isNumber: column.kind === 'number' || column.kind === 'seconds',
          isLong: column.kind === 'list' && column.name !== 'groups',
          cell: ({ cells }) => <ReportCell column={column} cell={cells[place] ?? null} names={names} />,
        },
  );

/** Is the cell empty? Few installations have policies of spaces. */
const isEmpty = (cell: Report['rows'][number][number] | undefined): boolean =>
  !Array.isArray(cell) || cell.length === 0;

function NothingFound({ id }: { id: ReportId }) {
  if (id === 'own-approvals')
    return (
      <Notice tone="good" title={words.good}>
        <p>{words.goodNote}</p>
      </Notice>
    );
  return (
    <div className={page.empty} role="status">
      <h2 className={page.subtitle}>{words.empty}</h2>
      <p>{words.emptyNote}</p>
    </div>
  );
}

interface ReportFormProps {
  id: ReportId;
  draft: ReportDraft;
  onShow: (draft: ReportDraft) => void;
}

/** Form of ids of requests. */
const requestPattern = String.raw`\s*eli_[\w\-]+\s*`;

const outcomes = [
  { value: '', label: words.everyone },
  ...requestOutcomes.map((outcome) => ({ value: outcome, label: outcomeNames[outcome] })),
];

/** Filters of a question. */
function ReportForm({ id, draft: first, onShow }: ReportFormProps) {
  const [draft, setDraft] = useState(first);
  const field = textFields(draft, (part) => setDraft({ ...draft, ...part }));
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onShow(draft);
  };
  const plain = { autoComplete: 'off', spellCheck: false };
  const hours = (value: string): void => setDraft({ ...draft, hours: value });
  const fields: Record<(typeof reportFilters)[number], ReactNode> = {
    tool: <NameField label={words.tool} names="tools" {...field('tool')} />,
    server: <ServerField {...field('server')} />,
    policy: <NameField label={words.policy} names="policies" {...field('policy')} />,
    person: <PersonField isNeeded={id === 'access'} {...field('person')} />,
    client: <NameField label={words.client} names="clients" {...field('client')} />,
    requester: <TextInput label={words.requester} title={words.requesterNote} {...plain} {...field('requester')} />,
    request: (
      <TextInput
        label={words.request}
        {...plain}
        pattern={requestPattern}
        title={words.wrongRequest}
        {...field('request')}
      />
    ),
    outcome: <NativeSelect label={words.outcome} data={outcomes} {...field('outcome')} />,
    hours: <HoursField value={draft.hours} zone={draft.zone} onChange={hours} />,
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      {isAboutMoment(id) ? (
        <TextInput type="datetime-local" required withAsterisk={false} label={words.at} {...field('to')} />
      ) : (
        <>
          <TimeField label={words.from} max={draft.to} {...field('from')} />
          <TimeField label={words.to} min={draft.from} {...field('to')} />
        </>
      )}
      {fieldsOf[id].map((name) => (
        <Fragment key={name}>{fields[name]}</Fragment>
      ))}
      <Button type="submit" variant="default" className={classes.show}>
        {words.show}
      </Button>
      {!isAboutMoment(id) && <p className={`${page.small} ${classes.hint}`}>{words.period}</p>}
    </form>
  );
}
