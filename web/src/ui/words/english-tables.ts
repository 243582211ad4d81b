import { formatsIn } from '#platform/text/formats';

const { number } = formatsIn('en');

/** Of a table of like things. */
export const listTable = {
  constant: (rows: number) => `The same in all ${number(rows)}`,
  outlier: (rare: number, rows: number, column: string) => `${number(rare)} of ${number(rows)} differs: ${column}`,
  outliers: (rare: number, rows: number, column: string) => `${number(rare)} of ${number(rows)} differ: ${column}`,
  most: 'otherwise',
  sum: (column: string) => `Sum of ${column}`,
  absent: 'not given',
  row: 'No.',
  label: (name: string) => `Items of ${name}`,
};

export const charts = {
  day: 'From',
  table: 'Show as a table',
  cut: (days: string[]) => `Cut off at the top, so that the rest can be seen. ${days.join(' · ')}`,
  chartOf: (title: string) => `${title}; the table below has the numbers`,
};
