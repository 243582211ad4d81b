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
import { readSearch } from './read-search.ts';
import { visibleOf } from '../sight/sight-of.ts';

interface InboxRequest extends Omit<InboxPage, 'after' | 'order' | 'search'> {
  order?: InboxPage['order'] | undefined;
  cursor?: string | undefined;
  /** What is sought in what is stored in the open. */
  q?: string | undefined;
}

/** One page of the inbox, with what its filters can be set to. */
export async function listInbox(engine: Engine, user: User, request: InboxRequest) {
  const order = request.view === 'done' ? 'newest' : (request.order ?? 'deadline');
  const names = request.q === undefined ? null : await namesIn(engine);
  const search = names ? readSearch(request.q ?? '', ...names) : undefined;
  const page = { ...request, order, search, after: readCursor(request.cursor), limit: request.limit + 1 };
  const isEmpty = request.view === 'mine' && !mayVote(user.role);
  const standIns = await engine.delegations.inForce(user.id, engine.now());
  const viewer = { id: user.id, issuer: user.issuer, isWatching: user.role !== 'approver', standIns };
  const [openRows, counts, facets] = await Promise.all([
    isEmpty ? [] : engine.inbox.page(viewer, page),
    engine.inbox.counts(viewer),
    names?.[0] ?? engine.inbox.facets(),
  ]);
  const rows = openRows.slice(0, request.limit);
  const visible = await visibleOf(engine, user, rows, 'content');
  const last = openRows.length > request.limit ? rows.at(-1) : undefined;
  return {
    items: rows.map((row) => ({
      ...inboxItem(user, row, standIns),
      ...summaryOf(engine, row, visible.has(row.id)),
    })),
    next: last ? writeCursor(position(order, last)) : null,
    counts: mayVote(user.role) ? counts : { ...counts, mine: 0 },
    ...facets,
  };
}

const namesIn = ({ inbox, directory }: Engine) => Promise.all([inbox.facets(), directory.read()]);

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
