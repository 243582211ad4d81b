import type { UserId } from '../../model/id.ts';
import { roles, type User } from '../../model/user.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
}

export const toUser = ({ id, email, name, role }: UserRow): User => ({
  kind: 'user',
  id: id as UserId,
  email,
  name,
  role: roles.find((known) => known === role) ?? 'reviewer',
});

/** Prisma wants bytes over an ArrayBuffer of their own. */
export const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
