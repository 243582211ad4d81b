import { Prisma } from '#platform/database/generated/prisma/client';
import { startOfDigest } from '../entries/rules/evidence.ts';
import type { LogFilter } from '../exports/rules/filter.ts';
import type { ElicitationId, ServerId } from '#platform/model/id';
import { isDecidedBy, isBesidePolicy, isUnderPolicy } from '../entries/store/entries.ts';
import type { Database } from '#platform/database/database';

/**
 * Joins the request `r` that an entry `e` is about, and its server `s`, if there is one. A search for one request has it
 * at its readings as well.
 */
export const requestOfEntry = ({ request }: Pick<LogFilter, 'request'>): Prisma.Sql => Prisma.sql`
  LEFT JOIN elicitation r ON r.id = ${request ?? Prisma.sql`e.elicitation_id`} LEFT JOIN server s ON s.id = r.server_id`;

/** The entries about a request and its readings, by audit_entry_elicitation_id_seq_idx and audit_entry_read_idx. */
export const entriesAbout = (request: ElicitationId): Prisma.Sql => Prisma.sql`
  SELECT * FROM audit_entry WHERE elicitation_id = ${request}
  UNION ALL
  SELECT * FROM audit_entry WHERE audit.entry(body) #>> '{about,0}' = ${request}
     AND type IN ('access.read', 'access.exported', 'access.refused')`;

/** Whether an entry `e` is by this person: in its columns, by audit_entry_person_at_id_idx. */
export const isBy = (person: string): Prisma.Sql => Prisma.sql`(e.person <> '' AND e.person = ${person})`;

/** Finds an older entry by person, which has no such column, by audit_entry_former_person_idx. */
const wasBy = (person: string): Prisma.Sql => Prisma.sql`(e.person IS NULL
  AND audit.entry(e.body) #>> '{actor,kind}' = 'user' AND audit.entry(e.body) #>> '{actor,id}' = ${person})`;

const isOfDigest = (digest: string): Prisma.Sql => Prisma.sql`audit.entry(e.body) ->> 'digest' = ${digest}`;

/** Whether an entry `e` opened a question of this digest, or left it behind: in its columns, by audit_entry_digest_of_idx. */
export const hasDigest = (digest: string): Prisma.Sql =>
  Prisma.sql`e.digest <> '' AND e.digest = ${startOfDigest(digest)} AND ${isOfDigest(digest)}`;

/** Finds an older entry by digest, by audit_entry_former_digest_idx. */
export const hadDigest = (digest: string): Prisma.Sql => Prisma.sql`e.person IS NULL
  AND e.type IN ('elicitation.opened', 'elicitation.edited') AND ${isOfDigest(digest)}`;

// True of every request anyway: said, because the index by outcome has only those that have ended.
const isOpen = Prisma.sql`r.closed_at IS NULL`;
const hasEnded = Prisma.sql`r.closed_at IS NOT NULL`;

/** Conditions on an entry `e` with its request: a filter without its line here does not compile. */
const conditions: { [Name in keyof LogFilter]-?: (value: NonNullable<LogFilter[Name]>) => Prisma.Sql } = {
  from: (from) => Prisma.sql`e.at >= to_timestamp(${from}::float8 / 1000)`,
  to: (to) => Prisma.sql`e.at < to_timestamp(${to}::float8 / 1000)`,
  person: (person) => Prisma.sql`(${isBy(person)} OR ${wasBy(person)})`,
  request: (request) => Prisma.sql`e.id IN (SELECT about.id FROM (${entriesAbout(request)}) about)`,
  server: (server) => Prisma.sql`s.name = ${server}`,
  tool: (tool) => Prisma.sql`r.tool = ${tool}`,
  policy: (policy) => isDecidedBy(policy, Prisma.raw('r')),
  outcome: (outcome) => Prisma.sql`r.status = ${outcome} AND ${outcome === 'open' ? isOpen : hasEnded}`,
  // As an array, so that the planner goes from the few requests to their entries and never the other way.
  digest: (digest) => Prisma.sql`e.elicitation_id = ANY(ARRAY(
    SELECT e.elicitation_id FROM audit_entry e WHERE ${hasDigest(digest)}
    UNION ALL SELECT e.elicitation_id FROM audit_entry e WHERE ${hadDigest(digest)}))`,
};

/** The filters that there are. */
const filterNames = Object.keys(conditions) as (keyof LogFilter)[];

/** All conditions of the filter; an empty value is one as well. */
export const entryConditions = (filter: LogFilter): Prisma.Sql[] =>
  filterNames.flatMap((name) => conditionOf(filter, name));

const conditionOf = (filter: LogFilter, name: keyof LogFilter): Prisma.Sql[] => {
  const value = filter[name];
  return value === undefined ? [] : [(conditions[name] as (value: unknown) => Prisma.Sql)(value)];
};

/** The position of an entry in the order of a search. */
export interface EntryPosition {
  at: number;
  id: string;
}

interface LoggedEntry extends EntryPosition {
  body: Uint8Array;
  /** Its place in the log; null while it has none. */
  place: number | null;
  /** Server of its request, if it is about one. */
  server: string | null;
  tool: string | null;
}

/** An entry, its evidence, and its place in the log; null while it has none. */
export interface PlacedBody {
  id: string;
  body: Uint8Array;
  mac: Uint8Array;
  place: number | null;
}

export const createEntrySearch = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /**
   * The entries that fit, the newest first, from after this position; if there is `among`, only those about requests of these
   * servers.
   */
  async page(
    { server: name, ...filter }: LogFilter,
    after: EntryPosition | null,
    most: number,
    among: readonly ServerId[] | null = null,
  ): Promise<LoggedEntry[]> {
    const server =
      name === undefined ? null : await prisma.server.findUnique({ where: { name }, select: { id: true } });
    if (name !== undefined && !server) return [];
    const statement = searchStatement({ ...filter, serverId: server?.id }, after, most, among);
    const rows = await prisma.$queryRaw<FoundRow[]>(statement);
    return rows.map(({ at, place, ...row }) => ({
      ...row,
      at: at.getTime(),
      place: place === null ? null : Number(place),
    }));
  },
  /** Every entry about this request, and about who read it or tried to, in the order of the log. */
  async about(request: ElicitationId): Promise<PlacedBody[]> {
    const rows = await prisma.$queryRaw<(Omit<PlacedBody, 'place'> & { place: bigint | null })[]>(
      aboutStatement(request),
    );
    return rows.map(({ place, ...row }) => ({ ...row, place: place === null ? null : Number(place) }));
  },
});

type FoundRow = Omit<LoggedEntry, 'at' | 'place'> & { at: Date; place: bigint | null };

/** A server is given by id, because the planner has statistics of ids. */
type StatedFilter = Omit<LogFilter, 'server'> & { serverId?: string | undefined };

/**
 * Each filter has an index; without one, the order has it. A person's entries from before have an index of their own, and so have
 * the requests that a policy decided next to another one.
 */
export function searchStatement(
  { person, policy, ...filter }: StatedFilter,
  after: EntryPosition | null,
  most: number,
  among: readonly ServerId[] | null = null,
): Prisma.Sql {
  const people = person === undefined ? [Prisma.sql`true`] : [isBy(person), wasBy(person)];
  const request = Prisma.raw('r');
  const policies =
    policy === undefined ? [Prisma.sql`true`] : [isUnderPolicy(policy, request), isBesidePolicy(policy, request)];
  const pages = people.flatMap((isTheirs) =>
    policies.map(
      (isIts) => Prisma.sql`(${pageStatement(filter, Prisma.sql`${isTheirs} AND ${isIts}`, after, most, among)})`,
    ),
  );
  return Prisma.sql`SELECT * FROM (${Prisma.join(pages, ' UNION ALL ')}) AS e ORDER BY e.at DESC, e.id DESC LIMIT ${most}`;
}

function pageStatement(
  { serverId, ...filter }: Omit<StatedFilter, 'person' | 'policy'>,
  condition: Prisma.Sql,
  after: EntryPosition | null,
  most: number,
  among: readonly ServerId[] | null,
): Prisma.Sql {
  const isAfter = after && Prisma.sql`(e.at, e.id) < (to_timestamp(${after.at}::float8 / 1000), ${after.id})`;
  const isOf = serverId !== undefined && Prisma.sql`r.server_id = ${serverId}`;
  const isAmong = among && Prisma.sql`r.server_id = ANY(${among}::text[])`;
  const more = [isAfter, isOf, isAmong].filter((condition) => typeof condition === 'object' && condition !== null);
  const conditions = [condition, ...entryConditions(filter), ...more];
  return Prisma.sql`
    SELECT e.id, e.at, e.body, l.idx AS place, s.name AS server, r.tool
      FROM audit_entry e LEFT JOIN audit_leaf l ON l.entry_id = e.id ${requestOfEntry(filter)}
     WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY e.at DESC, e.id DESC LIMIT ${most}`;
}

/** Two indexes have it: audit_entry_elicitation_id_seq_idx and audit_entry_read_idx. */
export const aboutStatement = (request: ElicitationId): Prisma.Sql => Prisma.sql`
  SELECT e.id, e.body, e.mac, l.idx AS place
    FROM (${entriesAbout(request)}) e
    LEFT JOIN audit_leaf l ON l.entry_id = e.id
   ORDER BY l.idx, e.seq`;
