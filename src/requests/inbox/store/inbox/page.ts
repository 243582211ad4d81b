import { Prisma } from '#platform/database/generated/prisma/client';
import type { Risk, Status } from '../../../asking/contract/elicitation.ts';
import type { ServerId, UserId } from '#platform/model/id';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { isBesidePolicy, isDecidedBy, isUnderPolicy } from '#audit/entries/store/entries';
import { moment } from '#platform/database/sql';

export interface InboxPage {
  view: 'mine' | 'all' | 'done';
  /** What is done is read by `newest`, which an index serves however many there are. */
  order: 'deadline' | 'risk' | 'newest';
  server?: string | undefined;
  tool?: string | undefined;
  status?: Status | undefined;
  risk?: Risk | undefined;
  /** The name of a policy that decides it, whatever its version. */
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

/** What the page is found by if that is of many values: the search, else who asked, else the policy, or those of a group. */
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
export function isMatch(terms: Term[], where: Prisma.Sql, by: Prisma.Sql, limit: number): Prisma.Sql {
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
export function filters({ view, server, tool, status, risk, policy, from, until }: InboxPage): Prisma.Sql {
  const time = timeOf(view);
  const parts = [
    server === undefined ? Prisma.empty : Prisma.sql`AND e.server_id = (SELECT id FROM server WHERE name = ${server})`,
    tool === undefined ? Prisma.empty : Prisma.sql`AND e.tool = ${tool}`,
    status === undefined ? Prisma.empty : Prisma.sql`AND e.status = ${status}`,
    risk === undefined ? Prisma.empty : Prisma.sql`AND e.risk = ${risk}`,
    policy === undefined ? Prisma.empty : Prisma.sql`AND ${isDecidedBy(policy)}`,
    from === undefined ? Prisma.empty : Prisma.sql`AND ${time} >= ${moment(from)}`,
    until === undefined ? Prisma.empty : Prisma.sql`AND ${time} < ${moment(until)}`,
  ];
  return Prisma.join(parts, ' ');
}
