import { Prisma } from '#platform/database/generated/prisma/client';
import type { LogFilter } from '../../exports/rules/filter.ts';
import type { ElicitationId, ServerId } from '#platform/model/id';
import type { Database } from '#platform/database/database/database';
import { isBesidePolicy, isUnderPolicy } from '../../entries/store/entries/decided-by.ts';
import { entriesAbout, entryConditions, isBy, requestOfEntry, wasBy } from './entry-conditions.ts';

/** The position of an entry in the order of a search. */
export interface EntryPosition {
  at: number;
  id: string;
}

interface LoggedEntry extends EntryPosition {
  body: Uint8Array;
  /** Its place in the log; null while it has none. */
  place: number | null;
  /** Of its request, if it is about one. */
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
