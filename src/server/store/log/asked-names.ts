import { Prisma } from '../../generated/prisma/client.ts';
import type { ElicitationId } from '#protocol/model/id';
import type { ReportFilter } from '#protocol/model/report';
import type { Database } from '../database/database.ts';

/** What the questions of reviewers can be narrowed by. */
export interface AskedNames {
  /** The names that asking clients gave themselves, in their order. */
  clients(): Promise<string[]>;
  /** Of what a question is narrowed by: the filters whose value is nothing that was ever there. */
  absent(filter: Sought): Promise<string[]>;
  /** The sealed questions of these requests, without those whose content was erased. */
  sealed(requests: string[]): Promise<AskedRow[]>;
}

type Sought = Partial<Pick<ReportFilter, 'tool' | 'server' | 'policy' | 'person' | 'request' | 'client' | 'requester'>>;

export interface AskedRow {
  id: ElicitationId;
  serverId: string;
  owner: Uint8Array;
  dataKey: Uint8Array;
  payload: Uint8Array;
}

/** The most names of clients to choose from. */
const most = 200;

export const createAskedNames = ({ prisma }: Pick<Database, 'prisma'>): AskedNames => ({
  async clients() {
    const rows = await prisma.$queryRaw<{ name: string }[]>(clientsStatement);
    return rows.map(({ name }) => name);
  },
  async absent(filter) {
    const checks = Object.entries(existence).flatMap(([name, existsOf]) => {
      const value = filter[name as keyof typeof existence];
      return value === undefined ? [] : [Prisma.sql`(${name}, EXISTS (${existsOf(value as never)}))`];
    });
    if (checks.length === 0) return [];
    const rows = await prisma.$queryRaw<{ name: string }[]>`
      SELECT name FROM (VALUES ${Prisma.join(checks)}) AS checks(name, is_there) WHERE NOT is_there`;
    return rows.map(({ name }) => name);
  },
  sealed: (requests) => prisma.$queryRaw<AskedRow[]>`
    SELECT id, server_id AS "serverId", owner, data_key AS "dataKey", payload FROM elicitation
     WHERE id = ANY(${requests}::text[]) AND data_key IS NOT NULL ORDER BY id`,
});

/** One index step for each name, however many requests there are. */
const clientsStatement = Prisma.sql`
  WITH RECURSIVE clients AS (
    (SELECT audit.entry(e.body) ->> 'client' AS name FROM audit_entry e
      WHERE e.type = 'elicitation.opened' AND audit.entry(e.body) ->> 'client' IS NOT NULL
      ORDER BY audit.entry(e.body) ->> 'client' LIMIT 1)
    UNION ALL
    SELECT (SELECT audit.entry(e.body) ->> 'client' FROM audit_entry e
             WHERE e.type = 'elicitation.opened' AND audit.entry(e.body) ->> 'client' IS NOT NULL
               AND audit.entry(e.body) ->> 'client' > c.name
             ORDER BY audit.entry(e.body) ->> 'client' LIMIT 1) FROM clients c WHERE c.name IS NOT NULL)
  SELECT name FROM clients WHERE name IS NOT NULL LIMIT ${most}`;

/** Where each filter's value would be, by an index. */
const existence = {
  tool: (name: string) => Prisma.sql`SELECT FROM elicitation WHERE tool = ${name}`,
  server: (name: string) => Prisma.sql`SELECT FROM server WHERE name = ${name}`,
  policy: (name: string) => Prisma.sql`SELECT FROM policy WHERE name = ${name}
    UNION ALL SELECT FROM elicitation WHERE split_part(policy, '@', 1) = ${name}`,
  person: (id: string) => Prisma.sql`SELECT FROM app_user WHERE id = ${id}`,
  request: (id: ElicitationId) => Prisma.sql`SELECT FROM elicitation WHERE id = ${id}`,
  client: (name: string) => Prisma.sql`SELECT FROM audit_entry e WHERE e.type = 'elicitation.opened'
    AND audit.entry(e.body) ->> 'client' IS NOT NULL AND audit.entry(e.body) ->> 'client' = ${name}`,
  requester: (hashes: string[]) => Prisma.sql`SELECT FROM elicitation
     WHERE requester_hash = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[]) AND closed_at IS NOT NULL
    UNION ALL SELECT FROM elicitation
     WHERE requester_hash = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[]) AND status = 'open'`,
} as const;
