import { Prisma } from '#platform/database/generated/prisma/client';
import type { ServerId } from '#platform/model/id';
import { batch } from '#platform/database/database';
import type { Database } from '#platform/database/database';

/** Requests with the same groups are counted together, since thousands may name the same thousands of people. */
const openByUser = Prisma.sql`
  SELECT user_id, sum(open)::int AS open
    FROM (
      SELECT e.snapshot #> ARRAY['context', 'stages', e.snapshot #>> '{context,stage}', 'groups'] AS groups,
          count(*) AS open
        FROM elicitation e WHERE e.status = 'open' AND e.audience = 'approvers' GROUP BY 1) waiting,
    LATERAL (
      SELECT DISTINCT user_id
        FROM jsonb_array_elements(groups) g,
          jsonb_array_elements_text(CASE jsonb_typeof(g -> 'approvers') WHEN 'array' THEN g -> 'approvers' END) user_id
    ) named
   GROUP BY user_id`;

/** Milliseconds that a count is used. */
const freshness = 1_000;
/** The most counts kept. */
const maxKept = 10_000;

/** How much is waiting. Counts may be up to a second old, plus what this node was asked for since. */
export function createLoad({ query }: Pick<Database, 'query'>) {
  const counted = new Map<string, { open: number; until: number }>();
  let loads: { open: Map<string, number>; until: number } | undefined;

  async function count(key: string, where: Prisma.Sql, most: number): Promise<number> {
    const cachedLoad = counted.get(key);
    if (cachedLoad && cachedLoad.until > performance.now() && cachedLoad.open < most) return cachedLoad.open++;
    const [row] = await query<{ open: number }>(Prisma.sql`
      SELECT count(*)::int AS open FROM (
        SELECT FROM elicitation WHERE ${where} AND status = 'open' LIMIT ${most}) waiting`);
    const open = row?.open ?? 0;
    if (counted.size >= maxKept) counted.clear();
    counted.set(key, { open: open + 1, until: performance.now() + freshness });
    return open;
  }

  // Openings that need it at the same time share one statement, each one that began after them.
  const readLoads = batch(
    async (callers: null[]) => {
      const rows = await query<{ user_id: string; open: number }>(openByUser);
      const open = new Map(rows.map((row) => [row.user_id, row.open]));
      loads = { open, until: performance.now() + freshness };
      return callers.map(() => open);
    },
    { maxSize: 1024, concurrency: 1 },
  );

  return {
    /** Open requests of one server, counted up to `most`. A count that reaches it is fresh. */
    ofServer: (server: ServerId, most: number): Promise<number> =>
      count(server, Prisma.sql`server_id = ${server} AND closed_at IS NULL`, most),
    ofRequester: (hash: Uint8Array, most: number): Promise<number> =>
      count(Buffer.from(hash).toString('base64'), Prisma.sql`requester_hash = ${hash}`, most),
    /** True if there are people, and each has `most` open requests waiting for them by name in their current stages. */
    async areFull(users: string[], most: number): Promise<boolean> {
      if (users.length === 0) return false; // an escalation may add others
      const full = (open: Map<string, number>) => users.every((user) => (open.get(user) ?? 0) >= most);
      const currentLoads = loads && loads.until > performance.now() ? loads.open : await readLoads(null);
      if (full(currentLoads) && full(await readLoads(null))) return true;
      for (const user of users) loads?.open.set(user, (loads.open.get(user) ?? 0) + 1);
      return false;
    },
  };
}
