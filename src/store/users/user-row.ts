import type { UserId } from '../../model/id.ts';
import { roles, type User } from '../../model/user.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
  issuer?: string | null;
}

export const toUser = ({ id, email, name, role, issuer }: UserRow): User => ({
  kind: 'user',
  id: id as UserId,
  email,
  name,
  role: roles.find((candidate) => candidate === role) ?? 'reviewer',
  ...(issuer && { issuer: issuer as UserId }),
});

/** Prisma needs bytes with a separate ArrayBuffer. */
export const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
