import { isId } from '../../model/id.ts';
import { mayVote, type User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { DelegationRecord } from '../../store/users/delegations.ts';
import { position, type InboxPage, type StandIn } from '../../store/elicitation/inbox.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { mayStandIn } from '../users/acting-for.ts';
import type { Engine } from '../engine.ts';
import { against, permission } from '../elicitation/permissions.ts';
import { readable } from '../elicitation/readable.ts';
import { openQuestion } from '../elicitation/sealed-question.ts';
import { shownRequester } from '../elicitation/shown-requester.ts';
import { hashesOfRequester, policiesAsking } from './read-narrowing.ts';
import { readSearch } from './read-search.ts';
import { lookLasts, visibleOf } from '../sight/sight-of.ts';

interface InboxRequest extends Omit<InboxPage, 'after' | 'order' | 'search' | 'policies' | 'requesters'> {
  order?: InboxPage['order'] | undefined;
  cursor?: string | undefined;
  /** What is sought in what is stored in the open. */
  q?: string | undefined;
  /** A group that the policy asks. */
  group?: string | undefined;
  /** Who asked, whole. */
  requester?: string | undefined;
}

/** One page of the inbox, with what its filters can be set to. */
export async function listInbox(engine: Engine, user: User, request: InboxRequest) {
  const order = request.view === 'done' ? 'newest' : (request.order ?? 'deadline');
  const { facets, ...narrowed } = await narrow(engine, request);
  const page = { ...request, ...narrowed, order, after: readCursor(request.cursor), limit: request.limit + 1 };
  const isEmpty = request.view === 'mine' && !mayVote(user.role);
  const viewer = await viewerOf(engine, user);
  const [openRows, counts, names, { directory }] = await Promise.all([
    isEmpty ? [] : engine.inbox.page(viewer, page),
    engine.inbox.counts(viewer),
    facets ?? engine.inbox.facets(),
    engine.rules.users(),
  ]);
  const rows = openRows.slice(0, request.limit);
  const visible = await visibleOf(engine, user, rows, 'content');
  const last = openRows.length > request.limit ? rows.at(-1) : undefined;
  return {
    items: rows.map((row) => ({
      ...inboxItem(user, row, viewer.standIns),
      ...summaryOf(engine, row, visible.has(row.id)),
    })),
    next: last ? writeCursor(position(order, last)) : null,
    counts: mayVote(user.role) ? counts : { ...counts, mine: 0 },
    ...names,
    groups: directory.groups,
  };
}

async function viewerOf(engine: Engine, { id, issuer, role }: User) {
  const standIns = await engine.delegations.inForce(id, engine.now());
  const lookedSince = engine.now() - lookLasts;
  return { id, issuer, isWatching: role !== 'approver', mayVote: mayVote(role), lookedSince, standIns };
}

/** What the texts of a request mean to the store, and the names that a search was compared with. */
async function narrow(engine: Engine, { q, group, requester }: InboxRequest) {
  const [facets, people] = await Promise.all([
    q === undefined ? null : engine.inbox.facets(),
    q === undefined && requester === undefined ? null : engine.directory.read(),
  ]);
  return {
    facets,
    search: facets && people && q !== undefined ? readSearch(q, facets, people) : undefined,
    requesters: people && requester !== undefined ? hashesOfRequester(engine.ring, requester, people) : undefined,
    policies: group === undefined ? undefined : policiesAsking(group, (await engine.rules.current()).published),
  };
}

function inboxItem(user: User, row: ElicitationRow, standIns: DelegationRecord[]) {
  const { id, tool, audience, mode, risk, status, cause, caller, openedAt, deadlineAt, closedAt } = row;
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
function summaryOf({ ring }: Engine, row: ElicitationRow, isVisible: boolean) {
  const question = readable(() => openQuestion(ring, row));
  const isUnreadable = question === null;
  if (!question || !isVisible) return { toolTitle: null, message: null, requester: null, isUnreadable };
  const { tool, message, requester } = question;
  return { toolTitle: tool.title, message, requester: shownRequester(requester), isUnreadable };
}

type Position = NonNullable<InboxPage['after']>;

const writeCursor = (at: Position): string => Buffer.from(JSON.stringify(at)).toString('base64url');

function readCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  try {
    const { rank, at, id } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Position;
    if ([0, 1, 2].includes(rank) && Number.isSafeInteger(at) && isId('elicitation', id)) return { rank, at, id };
  } catch {
    // answered below
  }
  throw new Problem('INVALID_INPUT', {
    errors: [{ path: ['cursor'], message: 'Start again without a cursor: this one is not valid.' }],
  });
}
