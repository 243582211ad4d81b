import { locale } from './language/language.ts';

/** "2026-11-21T14:05" in the person's own time zone, which is what a date-and-time control holds. */
export function toLocalTime(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment a control's text means here, written with its offset; the text itself if it means none. */
export function fromLocalTime(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const seconds = text.length > 16 ? '' : ':00';
  return `${text}${seconds}${offsetOf(date)}`;
}

/** Such as "Europe/Berlin, GMT+1". */
export function describeTimeZone(at: Date): string {
  const format = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' });
  const short = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const { timeZone } = format.resolvedOptions();
  return timeZone === short ? short : `${timeZone}, ${short}`;
}

function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
