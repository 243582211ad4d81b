import { reportFilters, type ReportId } from '../../../../src/model/report.ts';

const day = 86_400_000;

/** What a question is narrowed by, as its form and its address hold it; an empty text narrows nothing. */
export type ReportDraft = Record<'from' | 'to' | (typeof reportFilters)[number], string>;

/** Which fields each question has, apart from its period. */
export const fieldsOf: Record<ReportId, readonly (typeof reportFilters)[number][]> = {
  approvals: ['tool', 'server', 'policy', 'person'],
  'own-approvals': ['tool', 'server', 'policy', 'person'],
  automatic: ['tool', 'server', 'policy', 'person'],
  overrides: ['tool', 'server', 'policy', 'person'],
  edited: ['tool', 'server', 'policy', 'person'],
  hasty: ['tool', 'server', 'policy', 'person'],
  'could-approve': ['person'],
  readers: ['person'],
  'policy-changes': ['policy', 'person'],
  access: ['person'],
};

/** Whether the question is about one time, and not about a period. */
export const isAboutMoment = (id: ReportId): boolean => id === 'could-approve';

/** The draft in an address; the last 90 days, or this minute, if it says nothing. */
export function draftIn(id: ReportId, search: URLSearchParams, now: number): ReportDraft {
  const to = isAboutMoment(id) ? iso(now, 16) : iso(now, 10);
  const valueOf = (name: string, otherwise = ''): string => search.get(name) ?? otherwise;
  return {
    from: valueOf('from', iso(now - 90 * day, 10)),
    to: valueOf('to', to),
    person: valueOf('person'),
    tool: valueOf('tool'),
    server: valueOf('server'),
    policy: valueOf('policy'),
  };
}

const iso = (at: number, length: number): string => new Date(at).toISOString().slice(0, length);

/** The same for the address bar. */
export const searchOf = (id: ReportId, draft: ReportDraft): URLSearchParams =>
  new URLSearchParams([
    ...(isAboutMoment(id) ? [] : [['from', draft.from]]),
    ['to', draft.to],
    ...fieldsOf[id].flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]])),
  ]);

/** What is asked: the last day counts whole. Null if a date is missing, or a person that the question is about. */
export function queryOf(id: ReportId, draft: ReportDraft): URLSearchParams | null {
  const to = isAboutMoment(id) ? Date.parse(`${draft.to}Z`) : Date.parse(draft.to) + day;
  const from = isAboutMoment(id) ? 0 : Date.parse(draft.from);
  if (Number.isNaN(from) || Number.isNaN(to) || (id === 'access' && draft.person === '')) return null;
  const query = searchOf(id, draft);
  query.set('from', String(from));
  query.set('to', String(to));
  return query;
}
