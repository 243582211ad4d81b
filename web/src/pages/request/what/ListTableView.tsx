import { Digits } from '../../../ui/Digits.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import { what } from '../words/words.ts';
import type { ListTable } from './list-table.ts';
import classes from './ListTableView.module.css';

const words = what.table;
type Cell = ListTable['rows'][number][string];

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
                  <Value value={row[column] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Texts stand in quotes, so that "1" and 1 differ. */
function Value({ value }: { value: Cell }) {
  if (typeof value === 'number') return <Digits text={JSON.stringify(value)} />;
  if (typeof value !== 'string') return <b>{JSON.stringify(value)}</b>;
  return (
    <span className={classes.text}>
      <Revealed text={value} />
    </span>
  );
}
