import { writePointer } from '#requests/facts/contract/facts';
import { Digits } from '../Digits/Digits.tsx';
import { Revealed } from '../Revealed/Revealed.tsx';
import { listTable as words } from '../words/table-words.ts';
import type { Cell, ListTable } from './list-table.ts';
import classes from '../ListTableView.module.css';

/** What a long list comes down to: what differs in few of its rows, what is the same in all, and sums. */
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
 * Every row with every column that is not the same in all. It never scrolls sideways, where a column would stay unseen:
 * if they are too many for the width, the values of a row stand under each other.
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
