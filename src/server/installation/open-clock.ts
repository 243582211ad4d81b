import { createClock, heldClock, type Clock } from '../engine/clock.ts';
import type { Database } from '../store/database/database.ts';
import { readTime } from '../store/database/time.ts';

/** A clock that follows the database from the first query on. A test's clock stays unchanged. */
export async function openClock({ prisma }: Pick<Database, 'prisma'>, testClock?: () => number): Promise<Clock> {
  const clock = testClock ? heldClock(testClock) : createClock();
  await clock.follow(() => readTime(prisma));
  return clock;
}
