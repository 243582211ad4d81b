import type * as english from './english-tables.ts';
import { formatsIn } from '#platform/text/formats';

const { number } = formatsIn('de');

/** Of a table of like things. */
export const listTable: typeof english.listTable = {
  constant: (rows) => `In allen ${number(rows)} gleich`,
  outlier: (rare, rows, column) => `${number(rare)} von ${number(rows)} weicht ab: ${column}`,
  outliers: (rare, rows, column) => `${number(rare)} von ${number(rows)} weichen ab: ${column}`,
  most: 'sonst',
  sum: (column) => `Summe von ${column}`,
  absent: 'nicht angegeben',
  row: 'Nr.',
  label: (name) => `Einträge von ${name}`,
};

export const charts: typeof english.charts = {
  day: 'Ab',
  table: 'Als Tabelle zeigen',
  cut: (days) => `Oben abgeschnitten, damit der Rest zu sehen ist. ${days.join(' · ')}`,
  chartOf: (title) => `${title}; die Zahlen stehen in der Tabelle darunter`,
};
