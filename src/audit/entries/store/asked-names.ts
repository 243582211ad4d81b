import { Prisma } from '#platform/database/generated/prisma/client';
import type { ElicitationId } from '#platform/model/id';
import type { ReportFilter } from '../../reports/contract/report.ts';
import type { Database } from '#platform/database/database';
import { isUnderPolicy } from './entries.ts';
import { hadDigest, hasDigest } from '../../search/store.ts';
import { isAmong, type Among } from '../../reports/store/insights.ts';

type Sought = {
  [Name in 'tool' | 'server' | 'policy' | 'person' | 'request' | 'client' | 'requester']?:
    ReportFilter[Name] | undefined;
} & { to?: number | undefined; digest?: string | undefined };

export interface AskedRow {
  id: ElicitationId;
  serverId: string;
  owner: Uint8Array;
  dataKey: Uint8Array;
  payload: Uint8Array;
}

/** The most names of clients to choose from. */
const maxNames = 200;

/** Values that can narrow the questions of reviewers. */
export const createAskedNames = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /** The names that asking clients gave themselves, in their order. */
  async clients(): Promise<string[]> {
    const rows = await prisma.$queryRaw<{ name: string }[]>(clientsStatement);
    return rows.map(({ name }) => name);
  },
  /**
   * Filters of a question whose value never occurred, at these servers alone unless that is null; `to` if the log begins
   * later than the period ends.
   */
  async absent(filter: Sought, among: Among): Promise<string[]> {
    const checks = Object.entries(existence).flatMap(([name, existsOf]) => {
      const value = filter[name as keyof typeof existence];
      return value === undefined ? [] : [Prisma.sql`(${name}, EXISTS (${existsOf(value as never, among)}))`];
    });
    if (checks.length === 0) return [];
    const rows = await prisma.$queryRaw<{ name: string }[]>`
      SELECT name FROM (VALUES ${Prisma.join(checks)}) AS checks(name, is_there) WHERE NOT is_there`;
    return rows.map(({ name }) => name);
  },
  /** The sealed questions of these requests, without those whose content was erased. */
  sealed: (requests: string[]): Promise<AskedRow[]> => prisma.$queryRaw<AskedRow[]>`
    SELECT id, server_id AS "serverId", owner, data_key AS "dataKey", payload FROM elicitation
     WHERE id = ANY(${requests}::text[]) AND data_key IS NOT NULL ORDER BY id`,
});

export type AskedNames = ReturnType<typeof createAskedNames>;

/** The client that an opening `e` names, and whether it names one: in its columns, and in the body of an entry from before. */
const clientOf = { name: Prisma.sql`e.client`, isNamed: Prisma.sql`e.client <> ''` };
const formerClientOf = {
  name: Prisma.sql`audit.entry(e.body) ->> 'client'`,
  isNamed: Prisma.sql`e.person IS NULL AND e.type = 'elicitation.opened' AND audit.entry(e.body) ->> 'client' IS NOT NULL`,
};

/** One index step for each name, however many requests there are. */
const namesIn = ({ name, isNamed }: typeof clientOf): Prisma.Sql => Prisma.sql`
  (WITH RECURSIVE clients AS (
    (SELECT ${name} AS name FROM audit_entry e WHERE ${isNamed} ORDER BY ${name} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${name} FROM audit_entry e WHERE ${isNamed} AND ${name} > c.name ORDER BY ${name} LIMIT 1)
      FROM clients c WHERE c.name IS NOT NULL)
  SELECT name FROM clients WHERE name IS NOT NULL LIMIT ${maxNames})`;

const clientsStatement = Prisma.sql`
  SELECT name FROM (${namesIn(clientOf)} UNION ${namesIn(formerClientOf)}) AS names ORDER BY name LIMIT ${maxNames}`;

/** The entries that one of these conditions finds. */
const openings = (conditions: Prisma.Sql[], among: Among): Prisma.Sql =>
  Prisma.join(
    conditions.map(
      (condition) => Prisma.sql`SELECT FROM audit_entry e JOIN elicitation r ON r.id = e.elicitation_id
    WHERE ${condition} AND ${isOf(among)}`,
    ),
    ' UNION ALL ',
  );

/** Existence of each filter's value, by an index. */
const existence = {
  to: (time: number) => Prisma.sql`SELECT FROM audit_entry WHERE at < to_timestamp(${time}::float8 / 1000)`,
  tool: (name: string, among: Among) => Prisma.sql`SELECT FROM elicitation r WHERE tool = ${name} AND ${isOf(among)}`,
  server: (name: string, among: Among) =>
    Prisma.sql`SELECT FROM server WHERE name = ${name} AND ${isAmong(among, Prisma.sql`id`)}`,
  policy: (name: string, among: Among) => Prisma.sql`
    SELECT FROM policy p WHERE name = ${name} AND (${among === null} OR space_id IS NULL
      OR space_id IN (SELECT s.space_id FROM server s WHERE ${isAmong(among, Prisma.sql`s.id`)}))
    UNION ALL SELECT FROM elicitation r WHERE ${isUnderPolicy(name, Prisma.raw('r'))} AND ${isOf(among)}`,
  person: (id: string) => Prisma.sql`SELECT FROM app_user WHERE id = ${id}`,
  request: (id: ElicitationId, among: Among) =>
    Prisma.sql`SELECT FROM elicitation r WHERE id = ${id} AND ${isOf(among)}`,
  client: (name: string, among: Among) =>
    openings(
      [clientOf, formerClientOf].map((at) => Prisma.sql`${at.isNamed} AND ${at.name} = ${name}`),
      among,
    ),
  requester: (hashes: string[], among: Among) => Prisma.sql`SELECT FROM elicitation r
     WHERE ${isOneOf(hashes)} AND closed_at IS NOT NULL AND ${isOf(among)}
    UNION ALL SELECT FROM elicitation r WHERE ${isOneOf(hashes)} AND status = 'open' AND ${isOf(among)}`,
  digest: (digest: string, among: Among) => openings([hasDigest(digest), hadDigest(digest)], among),
} as const;

const isOf = (among: Among): Prisma.Sql => isAmong(among, Prisma.sql`r.server_id`);
const isOneOf = (hashes: string[]): Prisma.Sql =>
  Prisma.sql`requester_hash = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`;
