import { may, refusalWithout, type Permission } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Role } from '../model/user.ts';

/** Someone with a role, or a caller whose power has another source. */
type Caller = { kind: 'user'; role: Role } | { kind: 'provider' | 'agreement' } | 'operator';

/** Problem `forbidden`, with the refusal that says who can, for a person whose role does not let them. */
export function assertMay(by: Caller, permission: Permission): void {
  if (by !== 'operator' && by.kind === 'user' && !may(by.role, permission)) throw withoutPermission(permission);
}

/** The same, for what the owner of its server may do as well. */
export function assertMayOfOwn(by: Caller & { id?: string }, permission: Permission, ownerId: string | null): void {
  if (by === 'operator' || ownerId === null || by.id !== ownerId) assertMay(by, permission);
}

export const withoutPermission = (permission: Permission): Problem =>
  new Problem('forbidden', { refusal: { code: refusalWithout(permission) } });
