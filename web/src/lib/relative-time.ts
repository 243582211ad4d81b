import { locale } from './language/language.ts';
import { times } from './language/words.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long is left: "2 d 4 h", "3 h 58 min", "12:07" in the last hour; null once it is over. Milliseconds. */
export function describeTimeLeft(until: number, now: number): string | null {
  const remaining = Math.floor((until - now) / second) * second;
  if (remaining <= 0) return null;
  if (remaining >= day) return joined(remaining, [day, times.days], [hour, times.hours]);
  if (remaining >= hour) return joined(remaining, [hour, times.hours], [minute, times.minutes]);
  const seconds = Math.floor((remaining % minute) / second);
  return `${Math.floor(remaining / minute)}:${String(seconds).padStart(2, '0')}`;
}

/** How long it took: the same, of a second at least. */
export const describeDuration = (length: number): string => describeTimeLeft(Math.max(length, second), 0) ?? '';

/** How long ago: "just now", "5 min ago", "3 h ago", "2 d ago". */
export function describeAge(at: number, now: number): string {
  const age = now - at;
  if (age < minute) return times.now;
  if (age < hour) return times.ago(`${Math.floor(age / minute)} ${times.minutes}`);
  if (age < day) return times.ago(`${Math.floor(age / hour)} ${times.hours}`);
  return times.ago(`${Math.floor(age / day)} ${times.days}`);
}

/** "in 3 h 58 min", "in 12 min", or how long ago. Milliseconds. */
export function describeWhen(at: number, now: number): string {
  const remaining = at - now;
  if (remaining <= 0) return describeAge(at, now);
  const text = remaining >= hour ? describeTimeLeft(at, now) : null;
  return times.ahead(text ?? `${Math.ceil(remaining / minute)} ${times.minutes}`);
}

/** The moment itself, with its time zone: "21 Nov 2026, 14:05:09 GMT+1". */
export const describeMoment = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone !== undefined && { timeZone }),
  }).format(at);

/** Short, where several stand in a line: "21/11/2026, 14:05". */
export const describeShortMoment = (at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }).format(at);

/** The time of day alone: "14:05". */
export const describeTimeOfDay = (at: number): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);

type Unit = [size: number, name: string];

function joined(remaining: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((remaining % large) / small);
  return `${Math.floor(remaining / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}
