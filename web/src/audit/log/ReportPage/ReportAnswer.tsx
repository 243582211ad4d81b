import { lazy, Suspense } from 'react';
import type { Report } from '#audit/search/contract';
import type { ReportId } from '#audit/reports/contract/report';
import { reportAddress } from '../audit.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import classes from '../Audit.module.css';
import { NeverThere } from '../NarrowingFields/NeverThere.tsx';
import { countRows } from '../report-days.ts';
import { ReportCell } from './ReportCell.tsx';
import { columns as heads, questions, words } from '../words/words.ts';

const ReportChart = lazy(async () => ({ default: (await import('../ReportChart.tsx')).ReportChart }));

interface ReportAnswerProps {
  id: ReportId;
  query: URLSearchParams;
  report: Report;
}

/** The most rows of a page; the files have all. */
const maxShown = 200;

/** The answer as a picture, as a table, and as files to keep. */
export function ReportAnswer({ id, query, report }: ReportAnswerProps) {
  const { rows, isCut } = report;
  if (report.unknown.length > 0)
    return <NeverThere unknown={report.unknown} valueOf={(filter) => query.get(filter) ?? ''} />;
  if (rows.length === 0) return <NothingFound id={id} />;
  const isMore = rows.length > maxShown;
  const counted = countRows(report, Number(query.get('from')), Number(query.get('to')));
  return (
    <section aria-label={words.found(rows.length)} className={classes.answer}>
      <div className={classes.bar}>
        <h2 className={page.subtitle}>{words.found(rows.length)}</h2>
        <div className={page.actions}>
          {!isCut && (
            <a className={page.action} href={reportAddress(id, query, true)} download={`${id}.csv`}>
              {words.asCsv}
            </a>
          )}
          <a className={page.action} href={reportAddress(id, query)} download={`${id}.json`}>
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

/** What the requester voted on, and what only a key of the voter's asked. */
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

/** Few installations have policies of spaces. */
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
