import { createClock, heldClock, type Clock } from '#platform/nodes/verbs/clock';
import type { Database } from '#platform/database/database';
import { readTime } from '#platform/database/sql';

/** A clock that follows the database from the first query on. A test's clock stays unchanged. */
export async function openClock({ prisma }: Pick<Database, 'prisma'>, testClock?: () => number): Promise<Clock> {
  const clock = testClock ? heldClock(testClock) : createClock();
  await clock.follow(() => readTime(prisma));
  return clock;
}
