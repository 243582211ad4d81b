import { csvLine } from '../../../exports/rules/file/csv.ts';
import { invalidInput } from '#platform/model/problem/problem';
import type { Cell, ReportColumn } from '../../contract/report.ts';
import type { NamedReport } from './run-report.ts';

/**
 * A report as CSV (RFC 4180): the name stands after each person's id, times are ISO 8601 in UTC, and nothing is a formula.
 * INVALID_INPUT if there are more rows than it has: a table has no place to say so.
 */
export function reportTable({ columns, rows, names, isCut }: NamedReport): string {
  if (isCut) throw invalidInput(['to'], `Choose a shorter period: there are more than ${rows.length} rows.`);
  const head = columns.flatMap(({ name, kind }) =>
    kind === 'person' || kind === 'people' || kind === 'requester' ? [name, `${name}_name`] : [name],
  );
  const lines = rows.map((row) => columns.flatMap((column, at) => textsOf(column, row[at] ?? null, names)));
  return [head, ...lines].map(csvLine).join('');
}

function textsOf({ kind }: ReportColumn, cell: Cell, names: NamedReport['names']): string[] {
  if (kind === 'person' || kind === 'requester')
    return [textOf(cell), typeof cell === 'string' ? (names[cell] ?? '') : ''];
  if (kind === 'people' && Array.isArray(cell)) return [textOf(cell), cell.map((id) => names[id] ?? '').join('\n')];
  return [kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : textOf(cell)];
}

const textOf = (cell: Cell): string => (cell === null ? '' : Array.isArray(cell) ? cell.join('\n') : String(cell));
