import { Prisma } from '#platform/database/generated/prisma/client';
import type { inboxOrders, inboxViews } from '../contract/filters.ts';
import { type Risk, type Status, maxCounted } from '../../asking/contract/elicitation.ts';
import type { ServerId, UserId, SpaceId, ElicitationId } from '#platform/model/id';
import {
  type ElicitationRow,
  openSelected,
  selection,
  type SelectedElicitation,
  lookDigest,
} from '../../state/store/row.ts';
import {
  isBesidePolicy,
  isDecidedBy,
  isUnderPolicy,
  policyNameOf,
  entryJson,
  insertEntries,
  type Ledger,
} from '#audit/entries/store/entries';
import { moment, type RowOf } from '#platform/database/sql';
import type { Database } from '#platform/database/database';
import { plannedEachTime } from '#platform/database/connection';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { lookTable } from '../../deliberation/store/tables.ts';

export interface InboxPage extends Narrowing {
  view: (typeof inboxViews)[number];
  /** The done view is read by `newest`, which an index serves at any size. */
  order: (typeof inboxOrders)[number];
  /** The last row of the previous page, from `position`. */
  after: { rank: number; at: number; id: string } | null;
  limit: number;
}

/** Filters of a page: those of the contract, as the store finds them. */
interface Narrowing {
  server?: string | undefined;
  tool?: string | undefined;
  status?: Status | undefined;
  risk?: Risk | undefined;
  /** The name of a policy that decides it, whatever its version. */
  policy?: string | undefined;
  /** Requests of one of these policies. */
  policies?: string[] | undefined;
  /** Asked by the person who has one of these hashes, and readable to the viewer: only they may know who asked. */
  requesters?: Buffer[] | undefined;
  /** A request is found if any of these is its own. */
  search?: SearchTerms | undefined;
  /** Compared with the closing in `done`, else with the opening. */
  from?: number | undefined;
  until?: number | undefined;
}

/** Terms of a search in unsealed columns. */
export interface SearchTerms {
  ids: string[];
  servers: ServerId[];
  tools: string[];
  policies: string[];
  /** People who voted. */
  users: UserId[];
}

const riskRank = { high: 0, medium: 1, low: 2 } as const;

/** The position of a row in this order, which the cursor carries. */
export function position(order: InboxPage['order'], row: ElicitationRow): Position {
  if (order === 'newest') return { rank: 0, at: row.closedAt ?? row.openedAt, id: row.id };
  return { rank: order === 'risk' ? riskRank[row.risk] : 0, at: row.deadlineAt, id: row.id };
}

const timeOf = (view: InboxPage['view']): Prisma.Sql =>
  view === 'done' ? Prisma.sql`e.closed_at` : Prisma.sql`e.opened_at`;

type Position = NonNullable<InboxPage['after']>;

interface Order {
  by: Prisma.Sql;
  after(last: Position): Prisma.Sql;
}

/** Each of these is the order of an index up to its time, so that a page sorts no more than the rows of one millisecond. */
export const orders: Record<InboxPage['order'], (page: InboxPage) => Order> = {
  deadline: () => ({
    by: Prisma.sql`e.deadline_at, e.id`,
    after: ({ at, id }) => Prisma.sql`AND (e.deadline_at, e.id) > (${moment(at)}, ${id})`,
  }),
  risk: () => ({
    by: Prisma.sql`${byRisk}, e.deadline_at, e.id`,
    after: ({ rank, at, id }) =>
      Prisma.sql`AND (${byRisk}, e.deadline_at, e.id) > (${rank}::int, ${moment(at)}, ${id})`,
  }),
  newest: ({ view }) => {
    const time = timeOf(view);
    return {
      by: Prisma.sql`${time} DESC, e.id DESC`,
      after: ({ at, id }) => Prisma.sql`AND (${time}, e.id) < (${moment(at)}, ${id})`,
    };
  },
};

/** Values of which a request has one, and the index they are found by. */
interface Term {
  values: string[];
  from: Prisma.Sql;
  isOwn: Prisma.Sql;
}

const requests = Prisma.sql`elicitation e`;
const voted = Prisma.sql`(SELECT DISTINCT elicitation_id FROM vote WHERE user_id = term.value) AS v
    JOIN elicitation e ON e.id = v.elicitation_id`;

/** The terms by which a page of many values is found: the search, else who asked, else the policy, or those of a group. */
export function termsOf({ search, requesters, policy, policies }: InboxPage): Term[] | null {
  const policyOfTerm = Prisma.raw('term.value');
  const ofPolicies = (values: string[]) => [
    { values, from: requests, isOwn: isUnderPolicy(policyOfTerm) },
    { values, from: requests, isOwn: isBesidePolicy(policyOfTerm) },
  ];
  if (search)
    return [
      { values: search.ids, from: requests, isOwn: Prisma.sql`e.id = term.value` },
      { values: search.servers, from: requests, isOwn: Prisma.sql`e.server_id = term.value` },
      { values: search.tools, from: requests, isOwn: Prisma.sql`e.tool = term.value` },
      ...ofPolicies(search.policies),
      { values: search.users, from: voted, isOwn: Prisma.sql`true` },
    ];
  if (requesters) {
    const isOwn = Prisma.sql`e.requester_hash = decode(term.value, 'hex')`;
    return [{ values: requesters.map((hash) => hash.toString('hex')), from: requests, isOwn }];
  }
  if (policy !== undefined) return ofPolicies([policy]);
  return policies ? ofPolicies(policies) : null;
}

/**
 * The requests that have one of the terms. Each value goes by its own index, so that a rare name is found without reading
 * what is common.
 */
function isMatch(terms: Term[], where: Prisma.Sql, by: Prisma.Sql, limit: number): Prisma.Sql {
  const pages = terms.map(
    ({ values, from, isOwn }) => Prisma.sql`
    SELECT hit.id FROM unnest(${values}::text[]) AS term(value) CROSS JOIN LATERAL (
      SELECT e.id FROM ${from} JOIN server s ON s.id = e.server_id WHERE ${isOwn} AND ${where}
       ORDER BY ${by} LIMIT ${limit}) AS hit`,
  );
  // As an array, so that the planner goes from the few ids to their rows and never the other way.
  return Prisma.sql`e.id = ANY(ARRAY(${Prisma.join(pages, ' UNION ')}))`;
}

const byRisk = Prisma.sql`(CASE e.risk WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END)`;

/** Conditions that each row must fit, whichever index finds it: a filter without its line here does not compile. */
const conditions: {
  [Name in keyof Narrowing]-?: (
    value: NonNullable<Narrowing[Name]>,
    view: InboxPage['view'],
    viewer: InboxViewer,
  ) => Prisma.Sql;
} = {
  server: (server) => Prisma.sql`e.server_id = (SELECT id FROM server WHERE name = ${server})`,
  tool: (tool) => Prisma.sql`e.tool = ${tool}`,
  status: (status) => Prisma.sql`e.status = ${status}`,
  risk: (risk) => Prisma.sql`e.risk = ${risk}`,
  policy: (policy) => isDecidedBy(policy),
  policies: (policies) =>
    Prisma.sql`(${policyNameOf()} = ANY(${policies}::text[]) OR e.also_by && ${policies}::text[])`,
  requesters: (requesters, _view, viewer) =>
    Prisma.sql`e.requester_hash = ANY(${requesters}::bytea[]) AND ${isReadable(viewer)}`,
  search: () => Prisma.sql`true`, // a row is found by one of its terms alone
  from: (from, view) => Prisma.sql`${timeOf(view)} >= ${moment(from)}`,
  until: (until, view) => Prisma.sql`${timeOf(view)} < ${moment(until)}`,
};

const narrowing = (viewer: InboxViewer, page: InboxPage): Prisma.Sql[] =>
  (Object.keys(conditions) as (keyof Narrowing)[]).flatMap((name) => {
    const condition = conditions[name] as (value: unknown, ...of: [InboxPage['view'], InboxViewer]) => Prisma.Sql;
    return page[name] === undefined ? [] : [condition(page[name], page.view, viewer)];
  });

/** Someone for whom the reader may vote; an empty list of policies means all. */
export interface StandIn {
  fromId: UserId;
  policies: string[];
  /** Who issued the credential with which they let the reader, for whom the vote counts as well. */
  issuerId: UserId | null;
}

/**
 * The person who reads the inbox. An approver finds what they may see; administrators and reviewers find everything.
 */
export interface InboxViewer {
  id: UserId;
  /** Who issued the credential they signed in with, for whom their vote counts as well. */
  credentialIssuer?: UserId | undefined;
  /** Their and its other accounts, with which they may have voted or asked. */
  otherAccounts?: readonly UserId[];
  isWatching: boolean;
  /** May this person vote at all? */
  mayVote: boolean;
  /** From when on a reason to read a request still counts. */
  lookedSince: number;
  standIns: readonly StandIn[];
  /** The servers this person owns. */
  owns: readonly ServerId[];
  /** The servers of spaces in which this person watches over requests, as `isWatching` is everywhere. */
  watches: readonly ServerId[];
  /** May this person use the emergency override? Then they find everything, too. */
  mayBreakGlass: boolean;
}

const stage = Prisma.sql`(e.snapshot #> ARRAY['context', 'stages', e.snapshot #>> '{context,stage}'])`;
const stageNumber = Prisma.sql`(e.snapshot #> '{context,stage}')`;
const votes = Prisma.sql`(e.snapshot #> '{context,votes}')`;
const holds = (part: unknown): Prisma.Sql => Prisma.sql`@> ${JSON.stringify(part)}::jsonb`;

/** Has it named this person, or someone they stand in for? An index holds it: a few requests are found among many. */
const names = ({ id, standIns }: Pick<InboxViewer, 'id' | 'standIns'>): Prisma.Sql =>
  Prisma.sql`e.readers && ${['anyone', id, ...standIns.map(({ fromId }) => fromId)]}::text[]`;

/** Is this person in a vote of this stage, or of any if it needs fresh voters? */
const isInVote = (as: 'by' | 'for' | 'issuer', user: UserId): Prisma.Sql => Prisma.sql`
  ${votes} @> jsonb_build_array(jsonb_build_object(${as}::text, ${user}::text)
    || CASE WHEN ${stage} ${holds({ freshVoters: true })} THEN '{}' ELSE jsonb_build_object('stage', ${stageNumber}) END)`;

/** The requests of each view. */
export const views = {
  all: () => Prisma.sql`e.status = 'open'`,
  done: () => Prisma.sql`e.closed_at IS NOT NULL`,
  /** Open, for approvers, and the reader may vote, for themselves or for someone else: the engine's `isMine`. */
  mine: ({
    id: user,
    credentialIssuer,
    otherAccounts = [],
    standIns,
  }: InboxViewer) => Prisma.sql`e.status = 'open' AND e.audience = 'approvers'
    AND ${names({ id: user, standIns })}
    AND ${isFree(user)} AND ${credentialIssuer ? isFree(credentialIssuer) : Prisma.sql`true`}
    ${Prisma.join([Prisma.empty, ...otherAccounts.map((account) => Prisma.sql`AND ${isFree(account)}`)], ' ')}
    AND (${isNamed(user)} OR ${stage} ${holds({ groups: [{ approvers: 'anyone' }] })}
      ${Prisma.join([Prisma.empty, ...standIns.map(mayStandIn)], ' ')})`,
};

/** The engine's `maySee` for the notice of a row. The requester finds it by its address. */
export function isVisible(viewer: InboxViewer): Prisma.Sql {
  if (isWatcher(viewer)) return Prisma.sql`true`;
  return viewer.watches.length > 0 ? Prisma.sql`(${isTheirs(viewer)} OR ${isWatched(viewer)})` : isTheirs(viewer);
}

/** The engine's `maySee` for the content of a row. The requester finds it by its address. */
export const isReadable = (viewer: InboxViewer): Prisma.Sql =>
  isWatcher(viewer)
    ? Prisma.sql`(${isTheirs(viewer)} OR ${isLookedAt(viewer)})`
    : viewer.watches.length > 0
      ? Prisma.sql`(${isTheirs(viewer)} OR ${isWatched(viewer)} AND ${isLookedAt(viewer)})`
      : isTheirs(viewer);

/** Is it of a server of a space in which they watch over requests? */
const isWatched = ({ watches }: InboxViewer): Prisma.Sql => Prisma.sql`e.server_id = ANY(${watches}::text[])`;

const isWatcher = ({ isWatching, mayBreakGlass }: InboxViewer): boolean => isWatching || mayBreakGlass;

const isLookedAt = ({ id, lookedSince }: InboxViewer): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM look l WHERE l.elicitation_id = e.id AND l.user_id = ${id} AND l.at > ${moment(lookedSince)} OFFSET 0)`;

/**
 * Named by a stage, a voter, who edited it, the owner of the server, or the person who used the emergency override. OFFSET keeps the
 * planner from reading all votes at once.
 */
const isTheirs = (viewer: InboxViewer): Prisma.Sql => {
  const { id, mayVote, standIns, owns } = viewer;
  const isOwned = Prisma.sql`e.server_id = ANY(${owns}::text[])`;
  const reaches = owns.length > 0 ? Prisma.sql`(${names(viewer)} OR ${isOwned})` : names(viewer);
  return Prisma.sql`(${reaches} AND (
    e.snapshot ${holds({ context: { breakGlassBy: id } })} OR ${isOwned}
      OR EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND ${id} IN (v.user_id, v.for_id) OFFSET 0)
      OR EXISTS (SELECT FROM revision r WHERE r.elicitation_id = e.id AND r.user_id = ${id} OFFSET 0)
      OR ${mayVote} AND (e.snapshot ${holds(inAnyStage('anyone'))} OR e.snapshot ${holds(inAnyStage([id]))}
        ${Prisma.join([Prisma.empty, ...standIns.map(isCovered)], ' ')})))`;
};

const inAnyStage = (approvers: string[] | 'anyone') => ({ context: { stages: [{ groups: [{ approvers }] }] } });

const isNamed = (user: UserId): Prisma.Sql => Prisma.sql`${stage} ${holds({ groups: [{ approvers: [user] }] })}`;

/** Neither excluded from the stage, nor in a vote that counts there. */
const isFree = (user: UserId): Prisma.Sql => Prisma.sql`NOT ${stage} ${holds({ excluded: [user] })}
  AND NOT ${isInVote('by', user)} AND NOT ${isInVote('for', user)} AND NOT ${isInVote('issuer', user)}`;

const mayStandIn = ({ fromId, policies, issuerId }: StandIn): Prisma.Sql =>
  Prisma.sql`OR (${isNamed(fromId)} AND ${isFree(fromId)} AND ${isUnder(policies)}
    AND ${issuerId ? isFree(issuerId) : Prisma.sql`true`})`;

const isCovered = ({ fromId, policies }: StandIn): Prisma.Sql =>
  Prisma.sql`OR (e.snapshot ${holds(inAnyStage([fromId]))} AND ${isUnder(policies)})`;

const isUnder = (policies: string[]): Prisma.Sql =>
  Prisma.sql`(${policies.length === 0} OR ${policyNameOf()} = ANY(${policies}::text[]))`;

/** Servers, and spaces next to what is global. */
interface FacetScope {
  servers: readonly ServerId[];
  spaces: readonly SpaceId[];
}

/** The most names of tools to choose from. */
const maxOffered = 1000;

/** `mine` are those the reader may vote on, for themselves or for someone else. */
export const createInboxReader = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async page(viewer: InboxViewer, page: InboxPage): Promise<ElicitationRow[]> {
    const { by, after } = orders[page.order](page);
    const fits = [
      views[page.view](viewer),
      page.view === 'mine' ? Prisma.sql`true` : isVisible(viewer),
      ...narrowing(viewer, page),
    ];
    const where = Prisma.sql`${Prisma.join(fits, ' AND ')} ${page.after ? after(page.after) : Prisma.empty}`;
    const terms = termsOf(page);
    const rows = await prisma.$queryRaw<SelectedElicitation[]>`
        SELECT ${plannedEachTime} ${selection} FROM elicitation e JOIN server s ON s.id = e.server_id
         WHERE ${terms ? isMatch(terms, where, by, page.limit) : where}
         ORDER BY ${by} LIMIT ${page.limit}`;
    return rows.map(openSelected);
  },
  /** Counts no further than `maxCounted`. */
  async counts(viewer: InboxViewer): Promise<{ mine: number; all: number }> {
    const [row] = await prisma.$queryRaw<{ mine: number; all: number }[]>`
        SELECT ${plannedEachTime} (${countOf(views.mine(viewer))}) AS mine,
          (${countOf(Prisma.sql`${views.all()} AND ${isVisible(viewer)}`)}) AS all`;
    return row ?? { mine: 0, all: 0 };
  },
  /**
   * The names of servers and tools that have asked, and of policies; of those servers and spaces alone if they are given. At most
   * `most` of the tools: a server can name any number of them.
   */
  async facets(
    among: FacetScope | null = null,
    most: number = maxOffered,
  ): Promise<{ servers: string[]; tools: string[]; policies: string[] }> {
    const ofServer = (column: string): Prisma.Sql =>
      among ? Prisma.sql`${Prisma.raw(column)} = ANY(${among.servers}::text[])` : Prisma.sql`true`;
    const ofPolicy = among
      ? Prisma.sql`(space_id IS NULL OR space_id = ANY(${among.spaces}::text[]))`
      : Prisma.sql`true`;
    const ofTool = among
      ? Prisma.sql`EXISTS (SELECT FROM elicitation e WHERE e.tool = tools.tool AND ${ofServer('e.server_id')})`
      : Prisma.sql`true`;
    // One index step for each name, however many rows there are.
    const names = await prisma.$queryRaw<{ kind: string; name: string }[]>`
        WITH RECURSIVE tools AS (
          (SELECT tool FROM elicitation ORDER BY tool LIMIT 1)
          UNION ALL
          SELECT (SELECT e.tool FROM elicitation e WHERE e.tool > t.tool ORDER BY e.tool LIMIT 1) FROM tools t
           WHERE t.tool IS NOT NULL)
        SELECT 'server' AS kind, name FROM server WHERE ${ofServer('id')}
        UNION ALL SELECT 'policy', name FROM policy WHERE ${ofPolicy}
        UNION ALL (SELECT 'tool', tool FROM tools WHERE tool IS NOT NULL AND ${ofTool} LIMIT ${most}) ORDER BY 1, 2`;
    const of = (kind: string): string[] => names.filter((name) => name.kind === kind).map(({ name }) => name);
    return { servers: of('server'), tools: of('tool'), policies: of('policy') };
  },
});

const countOf = (where: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT count(*)::int FROM (
    SELECT FROM elicitation e JOIN server s ON s.id = e.server_id WHERE ${where} LIMIT ${maxCounted}) AS counted`;

/** Stored facts about one person and one request. */
interface StoredVisibility {
  owns: boolean;
  tookPart: boolean;
  looked: boolean;
  mayBreakGlass: boolean;
}

/** One reading of a request by an administrator or reviewer, with their sealed reason. */
type NewLook = RowOf<typeof lookTable.columns>;

export const createVisibility = ({ prisma, evidence }: Ledger) => ({
  /** For each existing request; a reading counts if it is later than `since`. */
  async read(user: UserId, ids: ElicitationId[], since: number): Promise<Map<ElicitationId, StoredVisibility>> {
    const rows = await prisma.$queryRaw<(StoredVisibility & { id: ElicitationId })[]>`
      SELECT e.id, s.owner_id IS NOT DISTINCT FROM a.id AS owns, a.may_break_glass AS "mayBreakGlass",
        EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND a.id IN (v.user_id, v.for_id))
          OR EXISTS (SELECT FROM revision r WHERE r.elicitation_id = e.id AND r.user_id = a.id) AS "tookPart",
        EXISTS (SELECT FROM look l WHERE l.elicitation_id = e.id AND l.user_id = a.id
          AND l.at > ${moment(since)}) AS looked
        FROM elicitation e JOIN server s ON s.id = e.server_id JOIN app_user a ON a.id = ${user}
       WHERE e.id = ANY(${ids}::text[])`;
    return new Map(rows.map(({ id, ...visibility }) => [id, visibility]));
  },
  async addLook(look: NewLook, entry: AuditEntry) {
    const sealed = evidence.seal(entry, lookDigest(look));
    await prisma.$executeRaw`
      WITH added AS (
        ${lookTable.insertion(look)}
        ON CONFLICT DO NOTHING RETURNING at
      ) ${insertEntries(Prisma.sql`added`, entryJson([sealed]))}`;
  },
});
