import { Prisma } from '#platform/database/generated/prisma/client';
import { rolesWith, type Permission } from '../directory/contract/permission.ts';

/** Permissions of a custom role, for a statement that reads people by this name; null for a built-in role. */
export const permissionsIn = (people: string): Prisma.Sql =>
  Prisma.sql`(SELECT permissions FROM custom_role WHERE name = ${Prisma.raw(people)}.role)`;

/** Does the role of the people that a statement reads by this name have the permission? */
export const hasIn = (people: string, permission: Permission): Prisma.Sql =>
  Prisma.sql`(${Prisma.raw(people)}.role IN (${Prisma.join(rolesWith(permission))})
    OR EXISTS (SELECT FROM custom_role WHERE name = ${Prisma.raw(people)}.role AND ${permission} = ANY (permissions)))`;
