import type { Insights } from '#audit/reports/contract/insights';

const day = 86_400_000;

export type Span = Insights['spans'][number];

/** The periods that can be chosen, in days. */
export const periods = [7, 30, 90, 365] as const;

/** Which one the address asks for. */
export function periodIn(search: URLSearchParams): (typeof periods)[number] {
  return periods.find((days) => String(days) === search.get('days')) ?? 30;
}

/** So many whole days in UTC, of which the last is today. */
export function boundsOf(days: number, now: number): { from: number; to: number } {
  const to = Math.floor(now / day) * day + day;
  return { from: to - days * day, to };
}

/** Every day or week of the period, also those in which nothing ended. */
export function everySpan({ spans, step }: Pick<Insights, 'spans' | 'step'>, from: number, to: number): Span[] {
  const counted = new Map(spans.map((span) => [span.at, span]));
  const length = step === 'day' ? day : 7 * day;
  // Weeks begin on Monday, and the first day of 1970 was a Thursday.
  const first = step === 'day' ? from : Math.floor((from + 3 * day) / length) * length - 3 * day;
  const starts = Array.from({ length: Math.ceil((to - first) / length) }, (_, at) => first + at * length);
  return starts.map((at) => counted.get(at) ?? { at, ...nothing });
}

/** Whether anything ended in it. */
export const hasEnded = ({ accepted, declined, cancelled, expired }: Span): boolean =>
  accepted + declined + cancelled + expired > 0;

const nothing = { accepted: 0, declined: 0, cancelled: 0, expired: 0, p50: null, p95: null };

/** How much of what people decided they approved, in percent; null if that is too little to tell. */
export function approvalOf({ approved, rejected }: { approved: number; rejected: number }): number | null {
  const decided = approved + rejected;
  return decided < fewest ? null : (100 * approved) / decided;
}

/** So many decisions say nothing about a rule. */
const fewest = 20;

/** Approved more often than this, a person may add little. Percent. */
export const nearlyAlways = 95;
