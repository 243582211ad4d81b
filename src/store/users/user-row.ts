import type { UserId } from '../../model/id.ts';
import { roles, type User } from '../../model/user.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
  credentialIssuer?: string | null;
}

export const toUser = ({ id, email, name, role, credentialIssuer }: UserRow): User => ({
  kind: 'user',
  id: id as UserId,
  email,
  name,
  role: roles.find((candidate) => candidate === role) ?? 'reviewer',
  ...(credentialIssuer && { credentialIssuer: credentialIssuer as UserId }),
});

/** Prisma needs bytes with a separate ArrayBuffer. */
export const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
