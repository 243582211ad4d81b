import { Prisma } from '../generated/prisma/client.ts';
import { readMigrations, type Migration } from '../migrate/migrate.ts';

type Transaction = Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRawUnsafe'>;

interface View {
  name: string;
  select: string;
  /** The migration that made it last. */
  migration: string;
  isBarrier: boolean;
}

/**
 * The views of reviewers that are not as the migrations made them, as sentences. PostgreSQL itself reads what the migrations
 * say, as a temporary view of which nothing stays. Null if this login may not make one.
 */
export async function changedViews(tx: Transaction): Promise<string[] | null> {
  const [right] = await tx.$queryRaw<[{ isGiven: boolean }]>`
    SELECT has_database_privilege(current_database(), 'TEMPORARY') AS "isGiven"`;
  if (!right.isGiven) return null;
  const views = viewsIn(await readMigrations());
  const stored = await definitionsOf(tx, Object.fromEntries(views.map(({ name }) => [name, name])));
  const expected = await expectedDefinitions(tx, views);
  return views
    .filter(({ name, isBarrier }) => {
      const view = stored.get(name);
      return !view || view.isBarrier !== isBarrier || expected.get(name)?.has(view.definition) !== true;
    })
    .map(
      ({ name, migration }) =>
        `The view ${name} is not the one that the migrations made: answers from it may be wrong. Make it again as prisma/migrations/${migration} does.`,
    );
}

/** The last definition of each. */
function viewsIn(migrations: readonly Migration[]): View[] {
  const views = migrations.flatMap(({ name: migration, sql }) =>
    [...sql.matchAll(/CREATE (?:OR REPLACE )?VIEW "?([\w.]+)"?( WITH \(security_barrier\))? AS\s([^;]+);/g)].map(
      ([, name = '', barrier, select = '']) => ({ name, select, migration, isBarrier: barrier !== undefined }),
    ),
  );
  return [...new Map(views.map((view) => [view.name, view])).values()];
}

/** As PostgreSQL writes each, and as it writes that again, which is what a restored dump holds. */
async function expectedDefinitions(tx: Transaction, views: readonly View[]): Promise<Map<string, Set<string>>> {
  const expected = new Map(views.map(({ name }) => [name, new Set<string>()]));
  const make = async (selects: readonly [string, string][], round: string): Promise<[string, string][]> => {
    const names: Record<string, string> = {};
    for (const [at, [name, select]] of selects.entries()) {
      names[name] = `expected_${round}_${at}`;
      await tx.$executeRawUnsafe(`CREATE TEMPORARY VIEW ${names[name]} AS ${select}`);
    }
    return [...(await definitionsOf(tx, names))].map(([name, { definition }]) => [name, definition]);
  };
  await tx.$executeRawUnsafe('SAVEPOINT before_views');
  try {
    const first = await make(
      views.map(({ name, select }) => [name, select]),
      'first',
    );
    for (const [name, definition] of [...first, ...(await make(first, 'again'))]) expected.get(name)?.add(definition);
  } finally {
    await tx.$executeRawUnsafe('ROLLBACK TO SAVEPOINT before_views');
  }
  return expected;
}

/** By the first name, the definition of the view of the second one; none if there is no such view. */
async function definitionsOf(
  tx: Transaction,
  names: Record<string, string>,
): Promise<Map<string, { definition: string; isBarrier: boolean }>> {
  const rows = await tx.$queryRaw<{ name: string; definition: string; isBarrier: boolean }[]>`
    SELECT n.key AS name, trim(trailing ';' FROM pg_get_viewdef(c.oid)) AS definition,
           coalesce(c.reloptions::text[] && ARRAY['security_barrier=true', 'security_barrier'], false) AS "isBarrier"
      FROM jsonb_each_text(${JSON.stringify(names)}::jsonb) AS n JOIN pg_class c ON c.oid = to_regclass(n.value) AND c.relkind = 'v'`;
  return new Map(rows.map(({ name, ...view }) => [name, view]));
}
