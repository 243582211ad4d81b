import type { UserId } from '#platform/model/id';
import type { User } from '../../contract/user.ts';
import { isBuiltInRole } from '../../contract/permission.ts';
import type { Prisma } from '#platform/database/generated/prisma/client';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
  /** What it permits if the installation has made it. */
  permissions?: readonly string[] | null;
  credentialIssuer?: string | null;
}

export const toUser = ({ id, email, name, role, permissions, credentialIssuer }: UserRow): User => ({
  kind: 'user',
  id: id as UserId,
  email,
  name,
  role,
  ...(permissions && { permissions }),
  ...(credentialIssuer && { credentialIssuer: credentialIssuer as UserId }),
});

type Reading = Pick<Prisma.TransactionClient, 'customRole'>;

/** The same of rows that were read without what their roles permit. */
export async function readUsers({ customRole }: Reading, rows: readonly UserRow[]): Promise<User[]> {
  const names = [...new Set(rows.map(({ role }) => role).filter((role) => !isBuiltInRole(role)))];
  const custom = names.length > 0 ? await customRole.findMany({ where: { name: { in: names } } }) : [];
  const permissions = new Map(custom.map((role) => [role.name, role.permissions]));
  return rows.map((row) => toUser({ ...row, permissions: permissions.get(row.role) ?? null }));
}

export async function readUser(reading: Reading, row: UserRow): Promise<User> {
  const [user] = await readUsers(reading, [row]);
  return user ?? toUser(row);
}

/** Prisma needs bytes with a separate ArrayBuffer. */
export const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
