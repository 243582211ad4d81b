import type { Permission as RequestedPermission } from '#platform/http/contract/route';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { may as mayByRole, refusalWithout, type Permission as Deed } from '#people/directory/contract/permission';
import { shared } from '../../language/language.ts';
import { permissions } from '../../language/words/words.ts';

type User = SignedIn['user'] | null;

/** Whether a button may be pressed, and the reason in words if not. */
export interface Permission {
  allowed: boolean;
  reason: string | null;
}

/** A permission of the server's, in words. */
export const formatPermission = ({ allowed, refusal }: RequestedPermission): Permission => ({
  allowed,
  reason: refusal && shared.refusals[refusal],
});

/** Permissions of people apart from deciding requests. The server decides again by itself. */
export function may(user: User, deed: Deed): Permission {
  if (user === null) return { allowed: false, reason: permissions.signedOut };
  return mayByRole(user, deed)
    ? { allowed: true, reason: null }
    : { allowed: false, reason: shared.refusals[refusalWithout(deed)] };
}

/** As `may`, with the owner of the server concerned also allowed. */
export function mayOfOwn(user: User, deed: Deed, owner: string | null): Permission {
  return user !== null && user.id === owner ? { allowed: true, reason: null } : may(user, deed);
}

/** As `may`, except for oneself: power comes from someone else. */
export const mayOfOthers = (user: User, deed: Deed, subject: string | null): Permission =>
  exceptOwn(may(user, deed), user, subject);

export const exceptOwn = (permission: Permission, user: User, subject: string | null): Permission =>
  permission.allowed && user?.id === subject ? { allowed: false, reason: permissions.own } : permission;
