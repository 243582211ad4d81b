import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/database.ts';

/** The database's current time as a column: milliseconds since 1970. */
export const timeColumn = Prisma.sql`(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`;

/** This time, in milliseconds since 1970, for a statement to compare with. */
export const moment = (at: number | null): Prisma.Sql => Prisma.sql`to_timestamp(${at}::bigint / 1000.0)`;

export async function readTime(prisma: Pick<Database['prisma'], '$queryRaw'>): Promise<{ at: number }> {
  const [answer] = await prisma.$queryRaw<[{ at: number }]>`SELECT ${timeColumn}`;
  return answer;
}
