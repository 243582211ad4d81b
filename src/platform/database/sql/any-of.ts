import { Prisma } from '../generated/prisma/client.ts';

/**
 * `ANY` of a parameter such as `$1::text[]`. No plan depends on how long the list is, so PostgreSQL keeps one; a
 * statement whose costs differ with its parameters is planned each time.
 */
export const anyOf = (list: Prisma.Sql): Prisma.Sql => Prisma.sql`ANY(ARRAY(SELECT unnest(${list})))`;
