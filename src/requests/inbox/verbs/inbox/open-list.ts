import { inTurns } from '#platform/crypto/in-turns';
import { may } from '#people/directory/contract/permission';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { position, type InboxPage } from '../../store/inbox/page.ts';
import type { InboxViewer, StandIn } from '../../store/inbox/viewer.ts';
import { mayStandIn } from '#people/delegations/verbs';
import type { Engine } from '#platform/nodes/verbs/engine';
import { against, permission } from '../../../state/verbs/permissions/permissions.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { openQuestion } from '../../../asking/verbs/question/sealed-question.ts';
import { shownRequester } from '../../../asking/verbs/question/shown-requester.ts';
import { hashesOfRequester, policiesAsking } from './read-narrowing.ts';
import { readSearch } from './read-search.ts';
import { rowFacts } from './row-facts.ts';
import { visibleOf } from '../visibility/visible-of.ts';

export interface ListFilters extends Omit<
  InboxPage,
  'after' | 'limit' | 'order' | 'search' | 'policies' | 'requesters'
> {
  order?: InboxPage['order'] | undefined;
  /** What is sought in what is stored in the open. */
  q?: string | undefined;
  /** A group that the policy asks. */
  group?: string | undefined;
  /** Who asked, whole. */
  requester?: string | undefined;
}

export type Position = NonNullable<InboxPage['after']>;

export type ListedPage = Awaited<ReturnType<Awaited<ReturnType<typeof openList>>['read']>>;
export type ListedRow = ListedPage['rows'][number];

/** The list that fits these filters, read a page at a time; each page shows what the viewer may see of it then. */
export async function openList(engine: Engine, user: User, filters: ListFilters) {
  const order = filters.view === 'done' ? 'newest' : (filters.order ?? 'deadline');
  const narrowed = await narrow(engine, filters);
  const isEmpty = filters.view === 'mine' && !may(user, 'decide');
  const read = async (viewer: InboxViewer, after: Position | null, limit: number) => {
    const page = { ...filters, ...narrowed, order, after, limit: limit + 1 } as const;
    const openRows = isEmpty ? [] : await engine.inbox.page(viewer, page);
    const rows = openRows.slice(0, limit);
    await inTurns(openInParts(engine, rows));
    const visible = await visibleOf(engine, user, rows, 'content');
    const { names } = await engine.rules.users();
    const last = openRows.length > limit ? rows.at(-1) : undefined;
    return {
      rows: rows.map((row) => showRow(engine, user, row, { isVisible: visible.has(row.id), names, ...viewer })),
      next: last ? position(order, last) : null,
    };
  };
  return { read };
}

/** Opens what the rows have sealed, which they keep: of large ones, each takes a turn of its own. */
function* openInParts({ ring }: Pick<Engine, 'ring'>, rows: readonly ElicitationRow[]): Generator<void, void> {
  for (const row of rows) {
    readable(() => openQuestion(ring, row));
    yield;
  }
}

const showRow = (
  engine: Engine,
  user: User,
  row: ElicitationRow,
  {
    isVisible,
    standIns,
    names,
    watches,
  }: Pick<InboxViewer, 'standIns' | 'watches'> & { isVisible: boolean; names: ReadonlyMap<string, string> },
) => ({
  row,
  isVisible,
  item: {
    ...inboxItem(user, row, standIns),
    ...summaryOf(engine, row, isVisible),
    voters: isVisible || may(user, 'watch-requests') || watches.includes(row.serverId) ? votersOf(row, names) : [],
  },
});

const votersOf = ({ state }: ElicitationRow, names: ReadonlyMap<string, string>): string[] => [
  ...new Set(state.context.votes.map(({ by }) => names.get(by) ?? by)),
];

/** The most names of tools of which a search may mean some. */
const maxSearched = 20_000;

/** What the texts of a request mean to the store, and the names that a search was compared with. */
async function narrow(engine: Engine, { q, group, requester }: ListFilters) {
  const [facets, people] = await Promise.all([
    q === undefined ? null : engine.inbox.facets(null, maxSearched),
    q === undefined && requester === undefined ? null : engine.directory.read(),
  ]);
  return {
    search: facets && people && q !== undefined ? readSearch(q, facets, people) : undefined,
    requesters: people && requester !== undefined ? hashesOfRequester(engine.ring, requester, people) : undefined,
    policies: group === undefined ? undefined : policiesAsking(group, (await engine.rules.current()).published),
  };
}

function inboxItem(user: User, row: ElicitationRow, standIns: readonly StandIn[]) {
  const { id, tool, audience, mode, risk, status, cause, caller, openedAt, deadlineAt, closedAt, digest, policy } = row;
  return {
    id,
    server: row.serverName,
    tool,
    audience,
    mode,
    risk,
    status,
    cause,
    caller,
    openedAt,
    deadlineAt,
    closedAt,
    digest,
    policy,
    remindedAt: row.state.context.remindedAt ?? null,
    isErased: row.dataKey === null,
    mine: isMine(user, row, standIns),
  };
}

/**
 * May this person vote on it, for themselves or for someone who lets them? The view of that name finds the same rows. A
 * person who only now turns out to be the requester sees that on the page.
 */
export const isMine = (user: User, row: ElicitationRow, standIns: readonly StandIn[]): boolean =>
  permission(against.vote(user, row, { requesters: new Set() })).allowed ||
  standIns.some((standIn) => mayStandIn(user, row, standIn));

/** What a row shows of its content: nothing to people who must first give a reason, or if it cannot be read. */
function summaryOf(engine: Engine, row: ElicitationRow, isVisible: boolean) {
  const question = readable(() => openQuestion(engine.ring, row));
  const isUnreadable = question === null;
  const withheld = { toolTitle: null, message: null, requester: null, reaches: null, facts: [], isUnreadable };
  if (!question || !isVisible) return withheld;
  const { tool, message, requester } = question;
  const facts = rowFacts(engine, row, question);
  const reaches = tool.reaches === undefined ? null : [...tool.reaches].slice(0, maxReach).join('');
  return { toolTitle: tool.title, message, requester: shownRequester(requester), reaches, facts, isUnreadable };
}

/** Characters of what a server reaches that a row of a list has. */
const maxReach = 500;
