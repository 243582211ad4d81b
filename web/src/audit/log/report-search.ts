import { reportFilters, type ReportId } from '#audit/reports/contract/report';

const day = 86_400_000;
const minute = 60_000;

type Filter = (typeof reportFilters)[number];

/** Filters of a question, in its form and its address; an empty text is no filter. */
export type ReportDraft = Record<'from' | 'to' | 'zone' | Filter, string>;

const ofVotes: Filter[] = ['tool', 'server', 'policy', 'person', 'client', 'requester', 'hours'];

/** Filters of each question, apart from its period. */
export const fieldsOf: Record<ReportId, readonly Filter[]> = {
  approvals: ofVotes,
  requests: ['outcome', 'client', 'requester', 'hours', 'server', 'tool', 'policy', 'person'],
  'own-approvals': ofVotes,
  automatic: ofVotes,
  overrides: ['tool', 'server', 'policy', 'person', 'hours'],
  edited: ofVotes,
  hasty: ofVotes,
  'could-approve': ['person'],
  readers: ['request', 'person', 'hours'],
  'policy-changes': ['policy', 'person', 'hours'],
  access: ['person', 'request', 'hours'],
};

/** Is the question about one time, and not a period? */
export const isAboutMoment = (id: ReportId): boolean => id === 'could-approve';

/** The draft in an address; the last 90 days, or this minute, by default. Hours are those of the reader's zone. */
export function draftIn(id: ReportId, search: URLSearchParams, now: number): ReportDraft {
  const to = isAboutMoment(id) ? iso(now, 16) : iso(now, 10);
  const otherwise: Partial<Record<string, string>> = { from: iso(now - 90 * day, 10), to, zone: ownZone() };
  const names = ['from', 'to', 'zone', ...reportFilters] as const;
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? otherwise[name] ?? ''])) as ReportDraft;
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const iso = (at: number, length: number): string => new Date(at).toISOString().slice(0, length);

/** The draft as an address. */
export const searchOf = (id: ReportId, draft: ReportDraft): URLSearchParams =>
  new URLSearchParams([
    ...(isAboutMoment(id) ? [] : [['from', draft.from]]),
    ['to', draft.to],
    ...fieldsOf[id].flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]])),
    ...(draft.hours === '' ? [] : [['zone', draft.zone]]),
  ]);

/** Does this day exist? 2026-02-31 does not, though it can be parsed. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(Date.parse(text) || 0).toISOString().startsWith(text);

/** Is a time of a period a minute, as in an address that leads to few requests, and not a day? */
export const isMinute = (time: string): boolean => time.includes('T');

/** The beginning of a day or minute in UTC, and its end. */
export const since = (time: string): number =>
  isDay(time.slice(0, 10)) ? Date.parse(isMinute(time) ? `${time}Z` : time) : Number.NaN;
export const until = (time: string): number => since(time) + (isMinute(time) ? minute : day);

/**
 * Query for the server: the last day or minute counts whole. Null if a date is missing, or a person that the question is about.
 */
export function queryOf(id: ReportId, draft: ReportDraft): URLSearchParams | null {
  const to = until(draft.to);
  const from = isAboutMoment(id) ? 0 : since(draft.from);
  if (Number.isNaN(from) || Number.isNaN(to) || (id === 'access' && draft.person === '')) return null;
  const query = searchOf(id, draft);
  query.set('from', String(from));
  query.set('to', String(to));
  return query;
}
