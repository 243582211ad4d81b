import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<Row> {
  head: string;
  /** Column that names the row; it comes first and heads the row on narrow screens. */
  isName?: boolean;
  isNumber?: boolean;
  /** On narrow screens the value stands below its head, not next to it. */
  isLong?: boolean;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** A table shown as cards on a narrow screen. Explicit roles, because a changed display removes them. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <table role="table" aria-label={caption} className={classes.table}>
      <thead role="rowgroup" className={classes.head}>
        <tr role="row">
          {columns.map(({ head, isNumber }) => (
            <th key={head} role="columnheader" scope="col" data-number={isNumber === true}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" className={classes.row}>
            {columns.map(({ head, isName, isNumber, isLong, cell }) => {
              const Cell = isName ? 'th' : 'td';
              return (
                <Cell
                  key={head}
                  role={isName ? 'rowheader' : 'cell'}
                  {...(isName && { scope: 'row' })}
                  className={isName ? classes.name : classes.cell}
                  data-head={head}
                  data-number={isNumber === true}
                  data-long={isLong === true}
                >
                  {cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
