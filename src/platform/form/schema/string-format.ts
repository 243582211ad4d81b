import type { StringFormat } from './schema.ts';

/** Whether the text is of the format; the same rules for people's answers and for schemas' defaults. */
export const isOfFormat = (format: StringFormat, text: string): boolean => checks[format](text);

/** The fewest and most characters a text of the format can have, to find lengths no one can satisfy. */
export const formatLengths: Record<StringFormat, { shortest: number; longest: number }> = {
  email: { shortest: 5, longest: 254 },
  uri: { shortest: 2, longest: Number.POSITIVE_INFINITY },
  date: { shortest: 10, longest: 10 },
  'date-time': { shortest: 20, longest: Number.POSITIVE_INFINITY },
};

const checks: Record<StringFormat, (text: string) => boolean> = {
  email: isEmail,
  uri: isUri,
  date: isDate,
  'date-time': isDateTime,
};

// Plain addresses only: no quoting, no comments, no bare hosts. Whether it exists only a mail can tell.
const localPart = /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u;
const hostLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > formatLengths.email.longest) return false;
  const labels = text.slice(at + 1).split('.');
  return localPart.test(text.slice(0, at)) && labels.length > 1 && labels.every(isHostLabel);
}

const isHostLabel = (label: string): boolean => label.length <= 63 && hostLabel.test(label);

// The URL parser drops or escapes white space and controls: what is kept must be what was typed.
function isUri(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text);
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;

function isDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  return day !== undefined && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

// RFC 3339. No leap seconds: neither JavaScript's Date nor PostgreSQL can keep one.
const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^T$/i.test(text.charAt(10)) && timePattern.test(text.slice(11));
}
