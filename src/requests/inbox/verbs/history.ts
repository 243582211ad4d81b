import { csvLine } from '#audit/exports/rules/file';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../state/store/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openList, type ListedPage, type ListedRow, type ListFilters, type Position } from './inbox.ts';
import { viewerOf } from './visibility.ts';

const columns = [
  'id',
  'server',
  'tool',
  'policy',
  'risk',
  'outcome',
  'cause',
  'opened_at',
  'closed_at',
  'seconds',
  'requester',
  'message',
  'votes',
];

export const historyHead = csvLine(columns);

/** A request as a line of CSV (RFC 4180): times are ISO 8601 in UTC, and nothing is a formula. */
export function historyLine(request: ExportedRequest): string {
  const { id, server, tool, policy, risk, status, cause, openedAt, closedAt, requester, message, votes } = request;
  const seconds = closedAt === null ? '' : `${(closedAt - openedAt) / 1000}`;
  const times = [timeOf(openedAt), closedAt === null ? '' : timeOf(closedAt), seconds];
  const content = [requester?.subject ?? '', message ?? '', (votes ?? []).map(formatVote).join('\n')];
  return csvLine([id, server, tool, policy, risk, status, cause ?? '', ...times, ...content]);
}

const timeOf = (at: number): string => new Date(at).toISOString();

const formatVote = ({ by, for: absent, action, at }: NonNullable<ExportedRequest['votes']>[number]): string =>
  [timeOf(at), action, by, ...(absent === null ? [] : [`for ${absent}`])].join(' ');

/** Rows that are read from the database at a time. */
const pageSize = 100;

export type ExportedRequest = ReturnType<typeof exportedRequest>;

/**
 * Everything in this view of the history, newest first, a page at a time. An entry says who took it first, with the
 * names of filters whose values may be sealed in requests.
 */
export async function* exportHistory(
  engine: Engine,
  user: User,
  filters: Omit<ListFilters, 'view' | 'order'>,
): AsyncGenerator<ExportedRequest[], void, undefined> {
  const list = await openList(engine, user, { ...filters, view: 'done' });
  const by = { kind: 'user', id: user.id } as const;
  await engine.access.recordAccess({ type: 'access.exported', what: 'requests', by, about: subjectsOf(filters) });
  let after: Position | null = null;
  do {
    const [viewer, { names }] = await Promise.all([viewerOf(engine, user), engine.rules.users()]);
    const page: ListedPage = await list.read(viewer, after, pageSize);
    yield page.rows.map((listed) => exportedRequest(listed, names));
    after = page.next;
  } while (after !== null);
}

const secret: readonly string[] = ['q', 'requester'];

const subjectsOf = (filters: object): string[] => [
  'view=done',
  ...Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [secret.includes(name) ? name : `${name}=${value}`],
  ),
];

function exportedRequest({ row, isVisible, item }: ListedRow, names: ReadonlyMap<string, string>) {
  const { id, server, tool, risk, status, cause, openedAt, closedAt, requester, message } = item;
  const votes = isVisible ? votesOf(row, names) : null;
  return { id, server, tool, policy: row.policy, risk, status, cause, openedAt, closedAt, requester, message, votes };
}

const votesOf = ({ state }: ElicitationRow, names: ReadonlyMap<string, string>) =>
  state.context.votes.map(({ by, for: absent, action, at }) => ({
    by: names.get(by) ?? by,
    for: absent === undefined ? null : (names.get(absent) ?? absent),
    action,
    at,
  }));
