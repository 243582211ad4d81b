import { Digits } from '../Digits.tsx';
import { Revealed } from '../Revealed.tsx';
import { listTable as words } from '../words/words.ts';
import type { Cell, ListTable } from './list-table.ts';
import classes from './ListTableView.module.css';

/** What a long list comes down to: what differs in few of its rows, what is the same in all, and sums. */
export function ListSummary({ table: { rows, constants, outliers, sums } }: { table: ListTable }) {
  return (
    <dl className={classes.summary}>
      {outliers.map(({ column, usual, rare }) => (
        <div key={column} data-outlier="">
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
        <div>
          <dt>{words.constant(rows.length)}</dt>
          <dd>
            {constants.map(({ column, value }) => (
              <span key={column} className={classes.constant}>
                <Revealed text={column} /> <Value value={value} />
              </span>
            ))}
          </dd>
        </div>
      )}
      {sums.map(({ column, sum }) => (
        <div key={column}>
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

/** Every row with every column that is not the same in all. On a narrow screen it scrolls sideways by itself. */
export function ListRows({ name, table: { rows, columns } }: { name: string; table: ListTable }) {
  if (columns.length === 0) return null;
  return (
    <div className={classes.frame} tabIndex={0} role="group" aria-label={words.label(name)}>
      <table className={classes.table} aria-label={words.label(name)}>
        <thead>
          <tr>
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
            <tr key={at}>
              <th scope="row">{at + 1}</th>
              {columns.map((column) => (
                <td key={column} data-number={typeof row[column] === 'number'}>
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
