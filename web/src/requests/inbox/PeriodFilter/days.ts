import { toLocalTime } from '../../../ui/local-time.ts';

/** The day of a moment as a date control holds it, such as "2026-11-21". */
export const dayOf = (moment: number): string => toLocalTime(new Date(moment).toISOString()).slice(0, 10);

/** When a day begins; null if the text is no day. */
export const startOfDay = (day: string): number | null => momentOf(day, 0);

/** When a day is over, which is a whole day later only if no clock is changed. */
export const endOfDay = (day: string): number | null => momentOf(day, 1);

function momentOf(day: string, later: number): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return null;
  const [year = 0, month = 0, date = 0] = parts.slice(1).map(Number);
  return Math.max(0, new Date(year, month - 1, date + later).getTime());
}
