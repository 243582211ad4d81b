import { formatsIn } from '#platform/text/formats';
import type * as english from './english-tables.ts';

const { number } = formatsIn('fr');

export const listTable: typeof english.listTable = {
  constant: (rows) => `Identique dans les ${number(rows)}`,
  outlier: (rare, rows, column) => `${number(rare)} sur ${number(rows)} diffère : ${column}`,
  outliers: (rare, rows, column) => `${number(rare)} sur ${number(rows)} diffèrent : ${column}`,
  most: 'sinon',
  sum: (column) => `Somme de ${column}`,
  absent: 'non indiqué',
  row: 'N°',
  label: (name) => `Éléments de ${name}`,
};

export const charts: typeof english.charts = {
  day: 'Du',
  table: 'Afficher en tableau',
  cut: (days) => `Coupé en haut, pour que le reste se voie. ${days.join(' · ')}`,
  chartOf: (title) => `${title} ; le tableau ci-dessous donne les nombres`,
};
