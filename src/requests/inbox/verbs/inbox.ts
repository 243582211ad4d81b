import { may } from '#people/directory/contract/permission';
import { isId } from '#platform/model/id';
import { invalidInput } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import { maySeeSpace, seenBy } from '#people/directory/verbs/may';
import type { Engine } from '#platform/nodes/verbs/engine';
import { viewerOf, visibleOf } from './visibility.ts';
import { showFacts } from '../../facts/contract/shown.ts';
import type { ElicitationRow } from '../../state/store/row.ts';
import { policyTerms, against, permission } from '../../state/verbs/permissions.ts';
import { argumentsInOrder, type Question, openQuestion, shownRequester } from '../../asking/verbs/question.ts';
import { inTurns } from '#platform/crypto/in-turns';
import { position, type InboxPage, type InboxViewer, type StandIn, type SearchTerms } from '../store/inbox.ts';
import { mayStandIn } from '#people/delegations/verbs';
import { readable } from '../../state/verbs/change.ts';
import { builtInName } from '#policies/document/rules/verdict';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import { principalHashes, type KeyRing } from '#platform/crypto/key-ring';
import { foldSubject, identityKey, readIdentity, type Identity } from '#platform/model/identity';
import type { PublishedPolicy } from '#policies/deciding/rules/book';
import type { Rule } from '#policies/document/rules/document';
import type { ShownFact } from '../../facts/contract/shown-fact.ts';

interface InboxRequest extends ListFilters {
  cursor?: string | undefined;
  limit: number;
}

/** One page of the inbox, with what its filters can be set to. */
export async function listInbox(engine: Engine, user: User, { cursor, limit, ...filters }: InboxRequest) {
  const after = readCursor(cursor);
  const [list, viewer, directory] = await Promise.all([
    openList(engine, user, filters),
    viewerOf(engine, user),
    engine.directory.read(),
  ]);
  const scope = seenBy(directory, user);
  const [{ rows, next }, counts, facets] = await Promise.all([
    list.read(viewer, after, limit),
    engine.inbox.counts(viewer),
    engine.inbox.facets(scope),
  ]);
  return {
    items: rows.map(({ item }) => item),
    next: next && writeCursor(next),
    counts: may(user, 'decide') ? counts : { ...counts, mine: 0 },
    ...facets,
    groups: directory.groups.filter(({ spaceId }) => maySeeSpace(directory, user, spaceId)).map(({ name }) => name),
  };
}

const writeCursor = (at: Position): string => Buffer.from(JSON.stringify(at)).toString('base64url');

function readCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  try {
    const { rank, at, id } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Position;
    if ([0, 1, 2].includes(rank) && Number.isSafeInteger(at) && isId('elicitation', id)) return { rank, at, id };
  } catch {
    // answered below
  }
  throw invalidInput(['cursor'], 'Start again without a cursor: this one is not valid.');
}

/** The most facts that fit into a row of a list. */
const maxRowFacts = 3;

/** Characters. Arguments that are longer are read on the request's page alone: a list parses fifty at a time. */
const maxArgumentsLength = 16_384;

/** The first of the facts that stand next to the buttons, for a row of a list. */
function rowFacts(engine: Pick<Engine, 'ring'>, row: ElicitationRow, question: Question): ShownFact[] {
  if (question.arguments.length > maxArgumentsLength) return [];
  const { facts } = policyTerms(engine, row);
  return showFacts(argumentsInOrder(question), facts, question.facts, maxRowFacts);
}

export interface ListFilters extends Omit<
  InboxPage,
  'after' | 'limit' | 'order' | 'search' | 'policies' | 'requesters'
> {
  order?: InboxPage['order'] | undefined;
  /** Text to search for in unsealed columns. */
  q?: string | undefined;
  /** A group that the policy asks. */
  group?: string | undefined;
  /** The whole name of the requester. */
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

/** Translates the texts of a list request for the store; also returns the names that a search was compared with. */
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

/** The content of a row: nothing for people who must first give a reason, or if it cannot be read. */
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

/** The names there are, of which a search may mean some. */
interface Names {
  tools: string[];
  policies: string[];
}

type People = Pick<DirectoryRecord, 'users' | 'servers'>;

/** The matches of a text: every name that has it as a part, in either case, and the request of this id. */
function readSearch(text: string, { tools, policies }: Names, { users, servers }: People): SearchTerms {
  const sought = text.trim().toLowerCase();
  const isMeant = (name: string): boolean => name.toLowerCase().includes(sought);
  return {
    ids: [text.trim()],
    servers: servers.filter(({ name }) => isMeant(name)).map(({ id }) => id),
    tools: tools.filter(isMeant),
    policies: [...policies, builtInName].filter(isMeant),
    users: users.filter(({ name, email }) => isMeant(name) || isMeant(email)).map(({ id }) => id),
  };
}

/**
 * The hashes under which requests of this requester are stored at any server. A subject without an issuer also means
 * that subject at each issuer the directory names for it.
 */
export function hashesOfRequester(ring: KeyRing, text: string, { users, servers }: People): Buffer[] {
  const sought = readIdentity(text.trim());
  const named = users.flatMap(({ subjects }) => subjects.map(readIdentity)).filter((other) => isMeant(sought, other));
  const identities = new Map([sought, ...named].map((identity) => [identityKey(identity), identity]));
  return servers.flatMap(({ id }) =>
    [...identities.values()].flatMap((identity) => principalHashes(ring, id, identity)),
  );
}

const isMeant = (sought: Identity, other: Identity): boolean =>
  sought.issuer === null && foldSubject(sought.subject) === foldSubject(other.subject);

/** The published policies that ask this group, in a stage or when they escalate. */
const policiesAsking = (group: string, published: readonly PublishedPolicy[]): string[] =>
  published
    .filter(({ document }) => document.rules.some(({ rule }) => asks(rule, group)))
    .map(({ document }) => document.policy);

function asks(rule: Rule, group: string): boolean {
  if (rule.outcome !== 'require') return false;
  const sources = rule.stages.flatMap(({ groups, escalation }) =>
    [...groups, ...(escalation?.steps ?? [])].flatMap(({ approvers }) => approvers),
  );
  return sources.some((source) => source.kind === 'group' && source.name === group);
}
