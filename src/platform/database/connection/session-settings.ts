import pg from 'pg';
import type { Prisma } from '../generated/prisma/client.ts';

interface SessionSetting {
  /** What a connection sets, as text. */
  value: string;
  /** Which other values serve as well, as `pg_settings` shows them; none by default. */
  accepts?: (shown: string) => boolean;
}

const isLimited = (shown: string): boolean => shown !== '0';

/**
 * All that a node's statements depend on and that a server, a database or a login may set differently. A connection
 * brings it when it starts; behind a pooler the login has it.
 *
 * A connection keeps the plan of a statement. A plan from the time when its tables were small would read them whole,
 * and do so when they have grown, so every statement has an index: docs/decisions/0019-plans-by-index.md. Compiling a
 * statement (`jit`) takes seconds and saves nothing for statements of milliseconds.
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

/** What a connection sends when it starts, for PostgreSQL's parameter `options`. */
export function startOptions(changed: Record<string, string> = {}): string {
  const values = Object.entries(sessionSettings).map(([name, { value }]) => [name, changed[name] ?? value] as const);
  return values.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`).join(' ');
}

/** The statements that give this login all of them in this database. */
export const settingsOfLogin = (login: string, database: string, names = Object.keys(sessionSettings)): string[] =>
  names.map((name) => {
    const value = sessionSettings[name]?.value ?? '';
    // a list in quotes would be the name of one schema
    const text = name === 'search_path' ? value : pg.escapeLiteral(value);
    return `ALTER ROLE ${pg.escapeIdentifier(login)} IN DATABASE ${pg.escapeIdentifier(database)} SET ${name} = ${text};`;
  });

/** The statements for what this connection lacks of them; empty if it has all. */
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
