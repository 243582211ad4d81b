import { Prisma } from '../generated/prisma/client.ts';

/** The most statements that get a name: every connection keeps each of them. */
const maxNames = 200;

/** In a statement whose best plan depends on its values: it has no name and is planned each time. */
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
