import { LogQuery } from '#audit/search/contract';
import { since, until } from '../report-search.ts';

const fields = ['from', 'to', 'person', 'tool', 'server', 'policy', 'outcome', 'request', 'digest'] as const;
export type LogField = (typeof fields)[number];

/** What a search is narrowed by, as its form and its address hold it; an empty text narrows nothing. */
export type LogDraft = Record<LogField, string>;

export const logDraftIn = (search: URLSearchParams): LogDraft =>
  Object.fromEntries(fields.map((name) => [name, search.get(name)?.trim() ?? ''])) as LogDraft;

/** The shortest address that says the same. */
export const logSearchOf = (draft: LogDraft): URLSearchParams =>
  new URLSearchParams(fields.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]])));

/** What the server is asked: days are in UTC, and the last one counts whole. Null if an address made by hand is wrong. */
export function logQueryOf(draft: LogDraft): URLSearchParams | null {
  const query = logSearchOf(draft);
  if (draft.from !== '') query.set('from', String(since(draft.from)));
  if (draft.to !== '') query.set('to', String(until(draft.to)));
  return LogQuery.safeParse(Object.fromEntries(query)).success ? query : null;
}
