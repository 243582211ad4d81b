import { serverNow } from '../client/call-api.ts';
import { locale } from '../language/language.ts';

/** "2026-11-21T14:05" in the person's own time zone, the form of a date-and-time control. */
export function toLocalTime(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Moment of a control's text in this zone, written with its offset; the text itself if it is none. */
export function fromLocalTime(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  // A time skipped by summer time is a later one.
  return `${toLocalTime(text)}:${two(date.getSeconds())}${offsetOf(date)}`;
}

/** Time zone of a control's moment, as it is then: "Europe/Berlin, GMT+2" on a day in summer. Without a moment, as of now. */
export function describeTimeZone(text: string, now = serverNow()): string {
  const at = Number.isNaN(Date.parse(text)) ? now : Date.parse(text);
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
