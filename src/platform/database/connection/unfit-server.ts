import type { Prisma } from '../generated/prisma/client.ts';

interface Unfit {
  variable: 'DATABASE_URL' | 'ASSENTRY_DB_CONNECTIONS';
  finding: string;
  cure: string;
}

interface ServerFacts {
  login: string;
  database: string;
  version: number;
  encoding: string;
  isReadOnly: boolean;
  /** How many connections this login may have at once; those of superusers are kept apart. */
  connections: number;
}

/** What no connection can set for itself and a node cannot work with, and how to mend it; null if all is well. */
export async function unfitServer(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  needed: number,
): Promise<Unfit | null> {
  const [facts] = await tx.$queryRaw<[ServerFacts]>`
    SELECT session_user::text AS login, current_database()::text AS database,
           current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
           current_setting('default_transaction_read_only') = 'on' AND NOT pg_is_in_recovery() AS "isReadOnly",
           least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1),
                 current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true)::int, 0)) AS connections
      FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database()`;
  return judgeServer(facts, needed);
}

/** The first fault. */
export function judgeServer(facts: ServerFacts, needed: number): Unfit | null {
  const { login, database, version, encoding, isReadOnly, connections } = facts;
  if (version < 150_000)
    return unfit(`PostgreSQL ${Math.floor(version / 10_000)}`, 'give the address of PostgreSQL 15 or later');
  if (encoding !== 'UTF8')
    return unfit(
      `a database in the encoding ${encoding}`,
      `make one with "CREATE DATABASE ${database}_utf8 ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0;"`,
    );
  if (isReadOnly)
    return unfit(
      'a database that is set to read only',
      `run "ALTER ROLE ${login} IN DATABASE ${database} SET default_transaction_read_only = off;" if that is not meant to be`,
    );
  if (connections >= needed) return null;
  const cure = `give at most ${connections - needed}, or raise max_connections or the limit of the login or database`;
  return {
    variable: 'ASSENTRY_DB_CONNECTIONS',
    finding: `${needed} connections, where PostgreSQL allows ${connections}`,
    cure,
  };
}

const unfit = (finding: string, cure: string): Unfit => ({ variable: 'DATABASE_URL', finding, cure });
