import type { grammar } from '../words/english-question.ts';

/** The first and the last day, in UTC, as in `2026-11-25`. */
export interface Period {
  from: string;
  to: string;
}

const dayMs = 86_400_000;

/** The days that are meant: weeks begin on Monday, and the last so many days end today. */
export function periodOf(period: keyof typeof grammar.periods | { days: number }, now: number): Period {
  const today = new Date(now - (now % dayMs));
  if (typeof period === 'object') return between(new Date(+today - (period.days - 1) * dayMs), today);
  const monday = new Date(+today - ((today.getUTCDay() + 6) % 7) * dayMs);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  switch (period) {
    case 'today':
      return between(today, today);
    case 'yesterday':
      return between(new Date(+today - dayMs), new Date(+today - dayMs));
    case 'thisWeek':
      return between(monday, today);
    case 'lastWeek':
      return between(new Date(+monday - 7 * dayMs), new Date(+monday - dayMs));
    case 'thisMonth':
      return between(new Date(Date.UTC(year, month, 1)), today);
    case 'lastMonth':
      return between(new Date(Date.UTC(year, month - 1, 1)), new Date(Date.UTC(year, month, 0)));
  }
}

const between = (from: Date, to: Date): Period => ({ from: day(from), to: day(to) });
const day = (date: Date): string => date.toISOString().slice(0, 10);
