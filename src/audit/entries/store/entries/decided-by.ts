import { Prisma } from '#platform/database/generated/prisma/client';

/** The policy that the request, in this table, is under: its name without its version. */
export const policyNameOf = (request = Prisma.raw('e')): Prisma.Sql =>
  Prisma.sql`split_part(${request}.policy, '@', 1)`;

/** Is the request, in this table, under this policy, which an index finds? */
export const isUnderPolicy = (policy: string | Prisma.Sql, request = Prisma.raw('e')): Prisma.Sql =>
  Prisma.sql`${policyNameOf(request)} = ${policy}`;

/** Did this policy decide it next to the one that it is under, as one of a space does? Another index finds that. */
export const isBesidePolicy = (policy: string | Prisma.Sql, request = Prisma.raw('e')): Prisma.Sql =>
  Prisma.sql`(${request}.also_by <> '{}' AND ${request}.also_by @> ARRAY[${policy}]::text[])`;

export const isDecidedBy = (policy: string, request?: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${isUnderPolicy(policy, request)} OR ${isBesidePolicy(policy, request)})`;
