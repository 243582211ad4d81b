import { locale } from '../language/language.ts';
import { times } from '../language/words/words.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds from which on minutes are left out. */
const longWait = 10 * hour;

/** Time left: "2 d 4 h", "23 h", "3 h 58 min", "12:07" in the last hour; null once it is over. Milliseconds. */
export function describeTimeLeft(until: number, now: number): string | null {
  const remaining = Math.floor((until - now) / second) * second;
  if (remaining <= 0) return null;
  if (remaining >= hour) return inHours(remaining);
  const seconds = Math.floor((remaining % minute) / second);
  return `${Math.floor(remaining / minute)}:${String(seconds).padStart(2, '0')}`;
}

/** Duration: "2 d 4 h", "3 h 58 min", "2 min 11 s", a second at least. Milliseconds. */
export function describeDuration(length: number): string {
  if (length >= hour) return inHours(length);
  if (length >= minute) return joined(length, [minute, times.minutes], [second, times.seconds]);
  return `${Math.max(1, Math.floor(length / second))} ${times.seconds}`;
}

/** Age: "just now", "5 min ago", "3 h ago", "yesterday", "9 days ago". */
export function describeAge(at: number, now: number): string {
  const age = now - at;
  if (age < minute) return times.now;
  if (age < hour) return times.ago(`${Math.floor(age / minute)} ${times.minutes}`);
  if (age < day) return times.ago(`${Math.floor(age / hour)} ${times.hours}`);
  const days = Math.round((midnightBefore(now) - midnightBefore(at)) / day);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
}

const midnightBefore = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Past moment in a list: its age on the same day, "25 Nov, 17:31" after that, "25 Nov 2025" in another year. */
export function describePast(at: number, now: number): string {
  if (now - at < day) return describeAge(at, now);
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? { hour: '2-digit', minute: '2-digit' } : { year: 'numeric' }),
  }).format(at);
}

/** Future or past moment: "in 3 h 58 min", "in 12 min", or its age. Milliseconds. */
export function describeWhen(at: number, now: number): string {
  const remaining = at - now;
  if (remaining <= 0) return describeAge(at, now);
  const text = remaining >= hour ? describeTimeLeft(at, now) : null;
  return times.ahead(text ?? `${Math.ceil(remaining / minute)} ${times.minutes}`);
}

/** Exact moment with its time zone: "21 Nov 2026, 14:05:09 GMT+1". */
export const describeMoment = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone !== undefined && { timeZone }),
  }).format(at);

/** Short moment, for several in a line: "21/11/2026, 14:05". */
export const describeShortMoment = (at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }).format(at);

/** The time of day alone: "14:05". */
export const describeTimeOfDay = (at: number): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);

function inHours(length: number): string {
  if (length >= day) return joined(length, [day, times.days], [hour, times.hours]);
  return length >= longWait
    ? `${Math.floor(length / hour)} ${times.hours}`
    : joined(length, [hour, times.hours], [minute, times.minutes]);
}

type Unit = [size: number, name: string];

function joined(remaining: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((remaining % large) / small);
  return `${Math.floor(remaining / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}
