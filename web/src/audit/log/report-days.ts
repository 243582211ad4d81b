import type { Report } from '#audit/search/contract';

const day = 86_400_000;
/** Days; what is longer is counted by weeks. */
const maxDays = 92;

/** How many rows there were of each value, from this time on. */
export interface RowCounts {
  at: number;
  counts: Record<string, number>;
}

export interface CountedRows {
  /** What is told apart; null if rows are only counted. */
  column: string | null;
  values: string[];
  /** Every day or week of the period, also those without a row. */
  spans: RowCounts[];
}

/** The times by which questions choose their rows, and the columns that say how each ended. */
const times = ['decided_at', 'voted_at', 'approved_at', 'at'];
const endings = ['outcome', 'decided_by', 'choice'];

/** The rows of a whole answer over its period; null if there is no period, a part of the rows is missing, or one bar would be all. */
export function countRows({ columns, rows, isCut }: Report, from: number, to: number): CountedRows | null {
  const placeOf = (names: string[]): number => columns.findIndex(({ name }) => names.includes(name));
  // A question about what was asked begins with that time.
  const timePlace = columns[0]?.name === 'asked_at' ? 0 : placeOf(times);
  const endingPlace = placeOf(endings);
  const length = to - from > maxDays * day ? 7 * day : day;
  if (isCut || timePlace < 0 || to - from <= length) return null;
  const spans = Array.from({ length: Math.ceil((to - from) / length) }, (_, at): RowCounts => {
    return { at: from + at * length, counts: {} };
  });
  const valueOf = (row: Report['rows'][number]): string => String(row[endingPlace] ?? '');
  for (const row of rows) {
    const counts = spans[Math.floor((Number(row[timePlace]) - from) / length)]?.counts;
    if (counts) counts[valueOf(row)] = (counts[valueOf(row)] ?? 0) + 1;
  }
  if (spans.filter(({ counts }) => Object.keys(counts).length > 0).length < 2) return null;
  return { column: columns[endingPlace]?.name ?? null, values: [...new Set(rows.map(valueOf))].sort(), spans };
}
