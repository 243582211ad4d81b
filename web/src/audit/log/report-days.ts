import type { Report } from '#audit/search/contract';

const day = 86_400_000;
/** Most days counted one by one; longer periods are counted by weeks. */
const maxDays = 92;

/** Rows of each value, from this time on. */
export interface RowCounts {
  at: number;
  counts: Record<string, number>;
}

export interface CountedRows {
  /** Column that divides the rows; null if they are only counted. */
  column: string | null;
  values: string[];
  /** Every day or week of the period, also empty ones. */
  spans: RowCounts[];
}

/** Time columns by which questions choose their rows, and columns with the ending. */
const times = ['decided_at', 'voted_at', 'approved_at', 'at'];
const endings = ['outcome', 'decided_by', 'choice'];

/** Counted rows of a whole answer over its period; null without a period, if rows are missing, or for a single bar. */
export function countRows({ columns, rows, isCut }: Report, from: number, to: number): CountedRows | null {
  const placeOf = (names: string[]): number => columns.findIndex(({ name }) => names.includes(name));
  // A question about requests begins with their time.
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
