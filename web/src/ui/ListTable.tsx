import { writePointer, isCollection, nameWords } from '#requests/facts/contract/facts';
import { isLongText } from '#requests/facts/contract/orders';
import { Digits } from './Digits.tsx';
import { Revealed } from './Revealed.tsx';
import { listTable as words } from './words/table-words.ts';
import classes from './ListTableView.module.css';
import { plus } from '#platform/model/decimal';
import { currencies } from '#requests/facts/contract/shown';

/** Summary of a long list: values that differ in few rows, common values, and sums. */
export function ListSummary({ table, pointer = '' }: { table: ListTable; pointer?: string }) {
  const { rows, constants, outliers, sums } = table;
  return (
    <dl className={classes.summary}>
      {outliers.map(({ column, usual, rare }) => (
        <div key={column} data-outlier="" data-unit="">
          <dt>
            <Revealed text={(rare.length === 1 ? words.outlier : words.outliers)(rare.length, rows.length, column)} />
          </dt>
          <dd>
            {rare.map(({ row, value }) => (
              <span key={row} className={classes.rare}>
                {words.row} {row} <Value value={value} />
              </span>
            ))}{' '}
            <span className={classes.soft}>
              {words.most} <Value value={usual} />
            </span>
          </dd>
        </div>
      ))}
      {constants.length > 0 && (
        <div data-unit="">
          <dt>{words.constant(rows.length)}</dt>
          <dd>
            {constants.map(({ column, value }) => (
              <span key={column} className={classes.constant}>
                <Revealed text={column} />{' '}
                <span data-at={`${pointer}/*${writePointer([column])}`}>
                  <Value value={value} />
                </span>
              </span>
            ))}
          </dd>
        </div>
      )}
      {sums.map(({ column, sum }) => (
        <div key={column} data-unit="">
          <dt>
            <Revealed text={words.sum(column)} />
          </dt>
          <dd>
            <Digits text={sum} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ListRowsProps {
  name: string;
  table: ListTable;
  pointer: string;
}

/**
 * Every row with the columns that differ. It never scrolls sideways, where a column would stay unseen: if the columns are too
 * many for the width, the values of a row stand under each other.
 */
export function ListRows({ name, table: { rows, columns }, pointer }: ListRowsProps) {
  if (columns.length === 0) return null;
  const fit = columns.length <= 3 ? 'always' : columns.length <= 6 ? 'wide' : 'never';
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={words.label(name)} data-fit={fit}>
        <thead>
          <tr {...(fit === 'always' && { 'data-unit': '' })}>
            <th scope="col">{words.row}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                <Revealed text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at} data-unit="">
              <th scope="row">{at + 1}</th>
              {columns.map((column) => (
                <td
                  key={column}
                  data-number={typeof row[column] === 'number'}
                  data-at={`${pointer}/${at}${writePointer([column])}`}
                >
                  {fit !== 'always' && (
                    <span className={classes.column} data-note="">
                      <Revealed text={column} />
                    </span>
                  )}
                  <Value value={row[column]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** One value. Texts stand in quotes, so that "1" and 1 differ. */
export function Value({ value }: { value: Cell | undefined }) {
  if (value === undefined) return <span className={classes.soft}>{words.absent}</span>;
  if (typeof value === 'number') return <Digits text={JSON.stringify(value)} />;
  if (typeof value !== 'string') return <b>{JSON.stringify(value)}</b>;
  return (
    <span className={classes.text}>
      <Revealed text={value} />
    </span>
  );
}

export type Cell = string | number | boolean | null;

/** A list of like objects, with common values once and differences first. */
export interface ListTable {
  rows: Record<string, Cell>[];
  /** Columns with the same value in all rows. */
  constants: { column: string; value: Cell }[];
  /** All other columns. */
  columns: string[];
  outliers: Outlier[];
  sums: { column: string; sum: string }[];
}

/** A column with the same value in nearly all rows. */
interface Outlier {
  column: string;
  usual: Cell | undefined;
  /** The differing rows, counted from 1, with their values. */
  rare: { row: number; value: Cell | undefined }[];
}

/** Fewest rows of a table. */
const fewestRows = 4;
/** Largest share of differing rows. */
const rareShare = 0.05;

/** The table of a list; null unless its entries are objects with the same names and no further groups. */
export function tableOf(value: unknown): ListTable | null {
  if (!Array.isArray(value) || value.length < fewestRows || !value.every(isRow)) return null;
  const rows = value;
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0 || !rows.every((row) => hasNames(row, names))) return null;
  return tableIn(rows, names);
}

function tableIn(rows: Record<string, Cell>[], names: string[]): ListTable {
  const valuesIn = (column: string): (Cell | undefined)[] => rows.map((row) => row[column]);
  const isConstant = (column: string) => valuesIn(column).every((cell) => cell === valuesIn(column)[0]);
  const constants = names.filter(isConstant).map((column) => ({ column, value: rows[0]?.[column] ?? null }));
  const columns = names.filter((column) => !constants.some((constant) => constant.column === column));
  return {
    rows,
    constants,
    columns,
    outliers: columns.flatMap((column) => outlierIn(column, valuesIn(column)) ?? []),
    sums: columns.some(isCurrency)
      ? []
      : names
          .filter((column) => !isEmptiness(column) && valuesIn(column).every((cell) => typeof cell === 'number'))
          .map((column) => ({ column, sum: valuesIn(column).map(String).reduce(plus, '0') })),
  };
}

/** Is it a currency column? Amounts in several currencies have no sum. */
const isCurrency = (column: string): boolean => nameWords(column).some((word) => currencies.has(word));

/** Is it a cell for an empty list or group, which is no number? */
const isEmptiness = (column: string): boolean => /(?:\[\]|\{\})$/.test(column);

/** The table of several calls by their arguments, in their order. A missing argument differs from every value, also null. */
export const tableOfCalls = (calls: Record<string, Cell>[]): ListTable =>
  tableIn(calls, [...new Set(calls.flatMap((call) => Object.keys(call)))]);

function outlierIn(column: string, values: (Cell | undefined)[]): Outlier | null {
  const counts = new Map<Cell | undefined, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [[usual, times] = [null, 0]] = [...counts].sort(([, first], [, other]) => other - first);
  if (values.length - times > Math.max(1, values.length * rareShare)) return null;
  const rare = values.flatMap((value, at) => (value === usual ? [] : [{ row: at + 1, value }]));
  return { column, usual, rare };
}

const isRow = (value: unknown): value is Record<string, Cell> =>
  isCollection(value) &&
  !Array.isArray(value) &&
  Object.values(value).every((cell) => !isCollection(cell) && !(typeof cell === 'string' && isLongText(cell)));

const hasNames = (row: object, names: string[]): boolean =>
  Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name));
