import { Prisma } from '../../generated/prisma/client.ts';
import { mostCounted, type Risk, type Status } from '../../model/elicitation.ts';
import type { ElicitationId, ServerId, UserId } from '../../model/id.ts';
import type { Database } from '../database/database.ts';
import { columns, rowFrom, type StoredElicitation } from './columns.ts';
import type { ElicitationRow } from './row.ts';

export interface InboxPage {
  view: 'mine' | 'all' | 'done';
  /** What is done is read by `newest`, which an index serves however many there are. */
  order: 'deadline' | 'risk' | 'newest';
  server?: string | undefined;
  tool?: string | undefined;
  status?: Status | undefined;
  risk?: Risk | undefined;
  /** The name of the policy that decides, whatever its version. */
  policy?: string | undefined;
  /** Of one of these policies. */
  policies?: string[] | undefined;
  /** Asked by the person who has one of these hashes, and readable to the viewer: only they may know who asked. */
  requesters?: Buffer[] | undefined;
  /** A request is found if any of these is its own. */
  search?: SearchTerms | undefined;
  /** Of the closing in `done`, else of the opening. */
  from?: number | undefined;
  until?: number | undefined;
  /** The last row of the previous page, from `position`. */
  after: { rank: number; at: number; id: string } | null;
  limit: number;
}

/** What a search is looking for, among what is stored in the open. */
export interface SearchTerms {
  ids: string[];
  servers: ServerId[];
  tools: string[];
  policies: string[];
  /** People who voted. */
  users: UserId[];
}

/** Someone for whom the reader may vote; an empty list of policies means all. */
export interface StandIn {
  fromId: UserId;
  policies: string[];
}

/**
 * The person who reads the inbox. An approver finds what they may see; administrators and reviewers find everything.
 */
export interface InboxViewer {
  id: UserId;
  /** Who issued the credential they signed in with, for whom their vote counts as well. */
  issuer?: UserId | undefined;
  isWatching: boolean;
  /** May this person vote at all? */
  mayVote: boolean;
  /** From when on a reason to read a request still counts. */
  lookedSince: number;
  standIns: readonly StandIn[];
}

/** `mine` are those the reader may vote on, for themselves or for someone else. */
export interface InboxReader {
  page(viewer: InboxViewer, page: InboxPage): Promise<ElicitationRow[]>;
  /** Counts no further than `mostCounted`. */
  counts(viewer: InboxViewer): Promise<{ mine: number; all: number }>;
  /** The latest approved requests of its tool and server that ended before it did and still have their content. */
  approvedBefore(row: ElicitationRow, limit: number): Promise<ElicitationId[]>;
  /** The names of servers and tools that have asked, and of policies. */
  facets(): Promise<{ servers: string[]; tools: string[]; policies: string[] }>;
}

const riskRank = { high: 0, medium: 1, low: 2 } as const;

/** The position of a row in this order, which the cursor carries. */
export function position(order: InboxPage['order'], row: ElicitationRow): Position {
  if (order === 'newest') return { rank: 0, at: row.closedAt ?? row.openedAt, id: row.id };
  return { rank: order === 'risk' ? riskRank[row.risk] : 0, at: row.deadlineAt, id: row.id };
}

export function createInboxReader({ prisma }: Pick<Database, 'prisma'>): InboxReader {
  return {
    async page(viewer, page) {
      const { by, after } = orders[page.order](page);
      const where = Prisma.sql`${views[page.view](viewer)}
        AND ${page.view === 'mine' ? Prisma.sql`true` : isVisible(viewer)} ${filters(page)} ${narrowing(viewer, page)}
        ${page.after ? after(page.after) : Prisma.empty}`;
      const terms = termsOf(page);
      const rows = await prisma.$queryRaw<StoredElicitation[]>`
        SELECT ${columns} FROM elicitation e JOIN server s ON s.id = e.server_id
         WHERE ${terms ? isMatch(terms, where, by, page.limit) : where}
         ORDER BY ${by} LIMIT ${page.limit}`;
      return rows.map(rowFrom);
    },
    async counts(viewer) {
      const [row] = await prisma.$queryRaw<{ mine: number; all: number }[]>`
        SELECT (${countOf(views.mine(viewer))}) AS mine,
          (${countOf(Prisma.sql`${views.all()} AND ${isVisible(viewer)}`)}) AS all`;
      return row ?? { mine: 0, all: 0 };
    },
    async approvedBefore({ id, tool, serverId, closedAt }, limit) {
      const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
        SELECT e.id FROM elicitation e
         WHERE e.tool = ${tool} AND e.server_id = ${serverId} AND e.status = 'accepted' AND e.data_key IS NOT NULL
           AND e.id <> ${id} AND e.closed_at IS NOT NULL
           ${closedAt === null ? Prisma.empty : Prisma.sql`AND e.closed_at < ${moment(closedAt)}`}
         ORDER BY e.closed_at DESC, e.id DESC LIMIT ${limit}`;
      return rows.map((row) => row.id);
    },
    async facets() {
      // One index step for each name, however many rows there are.
      const names = await prisma.$queryRaw<{ kind: string; name: string }[]>`
        WITH RECURSIVE tools AS (
          (SELECT tool FROM elicitation ORDER BY tool LIMIT 1)
          UNION ALL
          SELECT (SELECT e.tool FROM elicitation e WHERE e.tool > t.tool ORDER BY e.tool LIMIT 1) FROM tools t
           WHERE t.tool IS NOT NULL)
        SELECT 'server' AS kind, name FROM server
        UNION ALL SELECT 'policy', name FROM policy
        UNION ALL SELECT 'tool', tool FROM tools WHERE tool IS NOT NULL ORDER BY 1, 2 LIMIT 1000`;
      const of = (kind: string): string[] => names.filter((name) => name.kind === kind).map(({ name }) => name);
      return { servers: of('server'), tools: of('tool'), policies: of('policy') };
    },
  };
}

const policyName = Prisma.sql`split_part(e.policy, '@', 1)`;

/** Values of which a request has one, and the index they are found by. */
interface Term {
  values: string[];
  from: Prisma.Sql;
  isOwn: Prisma.Sql;
}

const requests = Prisma.sql`elicitation e`;
const voted = Prisma.sql`(SELECT DISTINCT elicitation_id FROM vote WHERE user_id = term.value) AS v
    JOIN elicitation e ON e.id = v.elicitation_id`;

/** What the page is found by if that is of many values: the search, else who asked, else the policies of a group. */
function termsOf({ search, requesters, policies }: InboxPage): Term[] | null {
  const ofPolicies = (values: string[]) => ({ values, from: requests, isOwn: Prisma.sql`${policyName} = term.value` });
  if (search)
    return [
      { values: search.ids, from: requests, isOwn: Prisma.sql`e.id = term.value` },
      { values: search.servers, from: requests, isOwn: Prisma.sql`e.server_id = term.value` },
      { values: search.tools, from: requests, isOwn: Prisma.sql`e.tool = term.value` },
      ofPolicies(search.policies),
      { values: search.users, from: voted, isOwn: Prisma.sql`true` },
    ];
  if (requesters) {
    const isOwn = Prisma.sql`e.requester_hash = decode(term.value, 'hex')`;
    return [{ values: requesters.map((hash) => hash.toString('hex')), from: requests, isOwn }];
  }
  return policies ? [ofPolicies(policies)] : null;
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

/** What else the rows must fit, whichever index finds them. */
const narrowing = (viewer: InboxViewer, { requesters, policies }: InboxPage): Prisma.Sql =>
  Prisma.join(
    [
      requesters
        ? Prisma.sql`AND e.requester_hash = ANY(${requesters}::bytea[]) AND ${isReadable(viewer)}`
        : Prisma.empty,
      policies ? Prisma.sql`AND ${policyName} = ANY(${policies}::text[])` : Prisma.empty,
    ],
    ' ',
  );

const countOf = (where: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT count(*)::int FROM (
    SELECT FROM elicitation e JOIN server s ON s.id = e.server_id WHERE ${where} LIMIT ${mostCounted}) AS counted`;

const byRisk = Prisma.sql`(CASE e.risk WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END)`;
const moment = (at: number): Prisma.Sql => Prisma.sql`to_timestamp(${at}::bigint / 1000.0)`;

const timeOf = (view: InboxPage['view']): Prisma.Sql =>
  view === 'done' ? Prisma.sql`e.closed_at` : Prisma.sql`e.opened_at`;

type Position = NonNullable<InboxPage['after']>;

interface Order {
  by: Prisma.Sql;
  after(last: Position): Prisma.Sql;
}

/** Each of these is the order of an index, so that a page reads no more rows than it shows. */
const orders: Record<InboxPage['order'], (page: InboxPage) => Order> = {
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

/** Whom any stage names: an index holds it, so that a few requests are found among many. */
const named = Prisma.sql`named_in(e.snapshot)`;
const stage = Prisma.sql`(e.snapshot #> ARRAY['context', 'stages', e.snapshot #>> '{context,stage}'])`;
const stageNumber = Prisma.sql`(e.snapshot #> '{context,stage}')`;
const votes = Prisma.sql`(e.snapshot #> '{context,votes}')`;
const holds = (part: unknown): Prisma.Sql => Prisma.sql`@> ${JSON.stringify(part)}::jsonb`;

/** Is this person in a vote of this stage, or of any if it needs fresh voters? */
const isInVote = (as: 'by' | 'for' | 'issuer', user: UserId): Prisma.Sql => Prisma.sql`
  ${votes} @> jsonb_build_array(jsonb_build_object(${as}::text, ${user}::text)
    || CASE WHEN ${stage} ${holds({ freshVoters: true })} THEN '{}' ELSE jsonb_build_object('stage', ${stageNumber}) END)`;

const views = {
  all: () => Prisma.sql`e.status = 'open'`,
  done: () => Prisma.sql`e.closed_at IS NOT NULL`,
  /** Open, for approvers, and the reader may vote, for themselves or for someone else: the engine's `isMine`. */
  mine: ({ id: user, issuer, standIns }: InboxViewer) => Prisma.sql`e.status = 'open' AND e.audience = 'approvers'
    AND ${named} && ${['anyone', user, ...standIns.map(({ fromId }) => fromId)]}::text[]
    AND ${isFree(user)} AND ${issuer ? isFree(issuer) : Prisma.sql`true`}
    AND (${isNamed(user)} OR ${stage} ${holds({ groups: [{ approvers: 'anyone' }] })}
      ${Prisma.join([Prisma.empty, ...standIns.map(mayStandIn)], ' ')})`,
};

/** The engine's `maySee` for the notice of a row. The requester finds it by its address. */
const isVisible = (viewer: InboxViewer): Prisma.Sql =>
  viewer.isWatching
    ? Prisma.sql`true`
    : Prisma.sql`(${isTheirs(viewer)} OR EXISTS (SELECT FROM app_user a WHERE a.id = ${viewer.id} AND a.may_break_glass))`;

/** The engine's `maySee` for the content of a row. The requester finds it by its address. */
const isReadable = (viewer: InboxViewer): Prisma.Sql => Prisma.sql`(${isTheirs(viewer)}
  OR EXISTS (SELECT FROM look l WHERE l.elicitation_id = e.id AND l.user_id = ${viewer.id}
    AND l.at > ${moment(viewer.lookedSince)}
    AND (${viewer.isWatching} OR EXISTS (SELECT FROM app_user a WHERE a.id = ${viewer.id} AND a.may_break_glass)) OFFSET 0))`;

/**
 * Named by a stage, a voter, the owner of the server, or the person who used the emergency override. OFFSET keeps the
 * planner from reading all votes at once.
 */
const isTheirs = ({ id, mayVote, standIns }: InboxViewer): Prisma.Sql => Prisma.sql`(
  e.snapshot ${holds({ context: { breakGlassBy: id } })} OR s.owner_id = ${id}
    OR EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND ${id} IN (v.user_id, v.for_id) OFFSET 0)
    OR ${mayVote} AND (e.snapshot ${holds(inAnyStage('anyone'))} OR e.snapshot ${holds(inAnyStage([id]))}
      ${Prisma.join([Prisma.empty, ...standIns.map(isCovered)], ' ')}))`;

const inAnyStage = (approvers: string[] | 'anyone') => ({ context: { stages: [{ groups: [{ approvers }] }] } });

const isNamed = (user: UserId): Prisma.Sql => Prisma.sql`${stage} ${holds({ groups: [{ approvers: [user] }] })}`;

/** Neither excluded from the stage, nor in a vote that counts there. */
const isFree = (user: UserId): Prisma.Sql => Prisma.sql`NOT ${stage} ${holds({ excluded: [user] })}
  AND NOT ${isInVote('by', user)} AND NOT ${isInVote('for', user)} AND NOT ${isInVote('issuer', user)}`;

const mayStandIn = ({ fromId, policies }: StandIn): Prisma.Sql =>
  Prisma.sql`OR (${isNamed(fromId)} AND ${isFree(fromId)} AND ${isUnder(policies)})`;

const isCovered = ({ fromId, policies }: StandIn): Prisma.Sql =>
  Prisma.sql`OR (e.snapshot ${holds(inAnyStage([fromId]))} AND ${isUnder(policies)})`;

const isUnder = (policies: string[]): Prisma.Sql =>
  Prisma.sql`(${policies.length === 0} OR ${policyName} = ANY(${policies}::text[]))`;

function filters({ view, server, tool, status, risk, policy, from, until }: InboxPage): Prisma.Sql {
  const time = timeOf(view);
  const parts = [
    server === undefined ? Prisma.empty : Prisma.sql`AND e.server_id = (SELECT id FROM server WHERE name = ${server})`,
    tool === undefined ? Prisma.empty : Prisma.sql`AND e.tool = ${tool}`,
    status === undefined ? Prisma.empty : Prisma.sql`AND e.status = ${status}`,
    risk === undefined ? Prisma.empty : Prisma.sql`AND e.risk = ${risk}`,
    policy === undefined ? Prisma.empty : Prisma.sql`AND ${policyName} = ${policy}`,
    from === undefined ? Prisma.empty : Prisma.sql`AND ${time} >= ${moment(from)}`,
    until === undefined ? Prisma.empty : Prisma.sql`AND ${time} < ${moment(until)}`,
  ];
  return Prisma.join(parts, ' ');
}
