import pg from 'pg';
import { Problem, describeError } from '../model/problem.ts';
import { Prisma } from './generated/prisma/client.ts';
import { problemFrom } from './fault.ts';
import type { Socket } from 'node:net';

const CONNECT_TIMEOUT_MS = 10_000;

/** A separate connection, outside the pool. Throws `database-unavailable`; the caller ends it. */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  try {
    const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config });
    client.on('error', () => {}); // a lost connection fails its current query; it must not end the process
    await client.connect();
    return client;
  } catch (cause) {
    throw databaseUnavailable(cause);
  }
}

/** Problem with the reason, but never the connection string, which holds a password. */
export function databaseUnavailable(cause: unknown): Problem {
  const reason = describeError(cause) || 'there is no connection'; // if several addresses fail, the message is empty
  return new Problem('database-unavailable', {
    detail: `Check the database: it cannot be reached (${reason}).`,
    cause,
  });
}

interface SessionSetting {
  /** Value that a connection sets, as text. */
  value: string;
  /** Other values that serve as well, as `pg_settings` shows them; none by default. */
  accepts?: (shown: string) => boolean;
}

const isLimited = (shown: string): boolean => shown !== '0';

/**
 * Settings that a node's statements depend on and that a server, a database or a login may set differently. A connection sends
 * them when it starts; behind a pooler the login has them.
 *
 * A connection keeps the plan of a statement. A plan made while its tables were small would read them whole, even after they
 * have grown, so every statement has an index: docs/decisions/0019-plans-by-index.md. Compiling a statement (`jit`) takes
 * seconds and saves nothing for statements of milliseconds.
 */
const sessionSettings: Record<string, SessionSetting> = {
  search_path: { value: 'public,pg_temp', accepts: (shown) => shown.replaceAll(' ', '') === 'public,pg_temp' },
  timezone: { value: 'UTC' }, // Prisma reads every time as UTC, whatever its zone
  datestyle: { value: 'ISO', accepts: (shown) => shown.startsWith('ISO') },
  extra_float_digits: { value: '1', accepts: (shown) => Number(shown) > 0 }, // fewer round the places of changes
  default_transaction_isolation: { value: 'read committed' },
  jit: { value: 'off' },
  plan_cache_mode: { value: 'auto' },
  max_parallel_workers_per_gather: { value: '0' },
  enable_seqscan: { value: 'off' },
  enable_hashjoin: { value: 'off' },
  enable_mergejoin: { value: 'off' },
  enable_nestloop: { value: 'on' },
  enable_indexscan: { value: 'on' },
  lock_timeout: { value: '2000', accepts: isLimited }, // shorter, to distinguish waiting for a writer from a slow statement
  statement_timeout: { value: '5000', accepts: isLimited },
  idle_in_transaction_session_timeout: { value: '60000' },
  idle_session_timeout: { value: '0' }, // the pool closes what it does not need
};

/** Settings for PostgreSQL's parameter `options`, sent when a connection starts. */
export function startOptions(changed: Record<string, string> = {}): string {
  const values = Object.entries(sessionSettings).map(([name, { value }]) => [name, changed[name] ?? value] as const);
  return values.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`).join(' ');
}

/** Statements that give this login all these settings in this database. */
export const settingsOfLogin = (login: string, database: string, names = Object.keys(sessionSettings)): string[] =>
  names.map((name) => {
    const value = sessionSettings[name]?.value ?? '';
    // a list in quotes would be the name of one schema
    const text = name === 'search_path' ? value : pg.escapeLiteral(value);
    return `ALTER ROLE ${pg.escapeIdentifier(login)} IN DATABASE ${pg.escapeIdentifier(database)} SET ${name} = ${text};`;
  });

/** Statements for the settings that this connection lacks; empty if it has all. */
export async function missingSettings(tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<string[]> {
  const rows = await tx.$queryRaw<{ login: string; database: string; name: string; shown: string }[]>`
    SELECT session_user::text AS login, current_database()::text AS database, lower(name) AS name, setting AS shown
      FROM pg_settings WHERE lower(name) = ANY(${Object.keys(sessionSettings)})`;
  const lacking = rows.filter(({ name, shown }) => !suffices(name, shown));
  const [first] = lacking;
  return first ? settingsOfLogin(first.login, first.database, lacking.map(({ name }) => name).sort()) : [];
}

function suffices(name: string, shown: string): boolean {
  const setting = sessionSettings[name];
  return setting === undefined || setting.value === shown || setting.accepts?.(shown) === true;
}

/**
 * Sends one statement by itself, never inside a transaction of Prisma's: the same pool and the same prepared statements
 * as `$queryRaw`, at a quarter of its cost. Whole numbers of 64 bits come as bigint, times as Date, bytes as they are.
 */
export type Query = <Row>(statement: Prisma.Sql) => Promise<Row[]>;

export function createQuery(on: Pick<pg.Pool, 'query'>, nameOf: NameOf): Query {
  return async <Row>({ text, values }: Prisma.Sql): Promise<Row[]> => {
    try {
      const name = nameOf({ sql: text });
      const { rows } = await on.query({ ...(name !== '' && { name }), text, values, types });
      return rows as Row[];
    } catch (error) {
      throw problemFrom(error);
    }
  };
}

type NameOf = (query: { sql: string }) => string;

/** Commits all statements of the work together, or none if it throws: for loops, at a fraction of Prisma's cost. */
export type Transact = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

export function createTransact(pool: pg.Pool, nameOf: NameOf): Transact {
  return async (work) => {
    const client = await pool.connect().catch((error: unknown) => {
      throw problemFrom(error);
    });
    try {
      await client.query('BEGIN');
      const result = await work(createQuery(client, nameOf));
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true), // its connection is gone or of unknown state
      );
      throw problemFrom(error);
    }
  };
}

/** Sends statements inside a transaction of Prisma's. */
export const queryIn =
  (tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Query =>
  (statement) =>
    tx.$queryRaw(statement);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** Limit of named statements: every connection keeps each of them. */
const maxNames = 200;

/** Marks a statement whose best plan depends on its values: it has no name and is planned each time. */
export const plannedEachTime = Prisma.raw('/* planned each time */');

/**
 * Names each statement by its text, so that a connection has PostgreSQL parse and plan it once. After the first 200
 * texts, further ones have no name and are planned each time.
 */
export function createStatementNames(most = maxNames): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    if (sql.includes(plannedEachTime.sql)) return '';
    const cachedName = names.get(sql);
    if (cachedName !== undefined || names.size >= most) return cachedName ?? '';
    const name = `assentry_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** Milliseconds without an answer after which a connection counts as lost: a statement may take half as long. */
export const maxSilenceMs = 10_000;

/** Members that the types of `pg` leave out. */
interface Inner {
  connection: { stream: Socket };
  readyForQuery: boolean;
}

/**
 * Ends a connection on which an answer is overdue: a silently failing network would otherwise block it and its waiters for
 * ever. A transaction that sets its own statement_timeout is waited for.
 */
export function endIfSilent(client: pg.Client, limit = maxSilenceMs): void {
  const inner = client as unknown as Inner;
  const { stream } = inner.connection;
  let isPatient = false;
  const own = Object.getPrototypeOf(client) as { query(...args: unknown[]): unknown };
  const query = function (this: pg.Client, ...args: unknown[]): unknown {
    isPatient = setsOwnLimit(args[0]) || (isPatient && client.getTransactionStatus() !== 'I');
    return Reflect.apply(own.query, this, args); // looked up now: what watches statements may have come since
  };
  client.query = query as typeof client.query;
  stream.setTimeout(limit);
  stream.on('timeout', () => {
    const isAwaited = !inner.readyForQuery || stream.writableEnded;
    if (isAwaited && !isPatient) stream.destroy();
  });
}

/** Length limit of statements that set a timeout; longer ones are not searched. */
const maxSettingLength = 200;

function setsOwnLimit(statement: unknown): boolean {
  const { text = statement } = (statement ?? {}) as { text?: unknown };
  return typeof text === 'string' && text.length < maxSettingLength && text.includes('statement_timeout');
}

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
  /** Limit of connections of this login; those of superusers are kept apart. */
  connections: number;
}

/** Fault that no connection can set right itself and a node cannot work with, and its remedy; null if there is none. */
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

/** The first fault of the server. */
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
