import { expect, test } from '@jest/globals';
import { indexBuiltBy, readMigrations } from '#platform/database/migrate';

const migrations = (await readMigrations()).map(({ name, sql }) => ({
  name,
  isAlone: /^--\s*no-transaction\b/m.test(sql),
  sql: sql.replaceAll(/^--.*$/gm, ''),
}));

/** The first migrations were applied to databases that were still small. */
const lastOfSmallDatabases = '20261126000150_insights_by_server';

test.each(migrations.filter(({ isAlone }) => isAlone))(
  '$name holds one statement that the next run can take up',
  ({ sql }) => {
    expect(sql.split(';').filter((statement) => statement.trim() !== '')).toHaveLength(1);
    expect(indexBuiltBy(sql)).not.toBeNull();
  },
);

test.each(migrations.filter(({ name }) => name > lastOfSmallDatabases))(
  '$name keeps no one out of a table while it builds an index on it',
  ({ sql }) => {
    const own = new Set(Array.from(sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gi), ([, table]) => table));
    const built = Array.from(
      sql.matchAll(/CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)[^;]*?\sON\s+(?:ONLY\s+)?"?(\w+)"?/gi),
      ([, table]) => table,
    );
    expect(built.filter((table) => !own.has(table))).toEqual([]);
  },
);
