import { may, refusalWithout, type Permission } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Role } from '../model/user.ts';

/** Someone with a role, or a caller whose power has another source. */
type Caller =
  | { kind: 'user'; role: Role }
  | { kind: 'token'; permissions: readonly Permission[] }
  | { kind: 'provider' | 'agreement' }
  | 'operator';

/** Does their role, or their token, have this permission? */
export function hasPermission(by: Exclude<Caller, 'operator'>, permission: Permission): boolean {
  if (by.kind === 'user') return may(by.role, permission);
  return by.kind !== 'token' || by.permissions.includes(permission);
}

/** Problem `forbidden`, with the refusal that says who can, for a person or a program without this permission. */
export function assertMay(by: Caller, permission: Permission): void {
  if (by !== 'operator' && !hasPermission(by, permission)) throw withoutPermission(permission);
}

/** The same, for what the owner of its server may do as well. */
export function assertMayOfOwn(by: Caller & { id?: string }, permission: Permission, ownerId: string | null): void {
  if (by === 'operator' || ownerId === null || by.id !== ownerId) assertMay(by, permission);
}

export const withoutPermission = (permission: Permission): Problem =>
  new Problem('forbidden', { refusal: { code: refusalWithout(permission) } });
