import type { Permission, SignedIn } from '../../../src/contract/console/console.ts';
import type { Role } from '../../../src/model/user.ts';

type User = SignedIn['user'] | null;

/** What may be done beside deciding requests. The server decides again, by its own. */
export type Deed = keyof typeof rules;

/** The one table of who may do it, and what everybody else is told. */
const rules = {
  'change-users': { roles: ['admin'], reason: 'Only administrators change people.' },
  'change-groups': { roles: ['admin'], reason: 'Only administrators change groups.' },
  'change-servers': { roles: ['admin'], reason: 'Only administrators say who answers for a server.' },
  'change-keys': { roles: ['admin'], reason: 'Only administrators make and revoke keys.' },
  'write-policies': { roles: ['admin'], reason: 'Only administrators write policies.' },
  'end-grants': { roles: ['admin', 'approver'], reason: 'Reviewers look; they do not change this.' },
} as const satisfies Record<string, { roles: readonly Role[]; reason: string }>;

export function may(user: User, deed: Deed): Permission {
  if (user === null) return { allowed: false, reason: signedOut };
  const { roles, reason }: { roles: readonly Role[]; reason: string } = rules[deed];
  return roles.includes(user.role) ? { allowed: true, reason: null } : { allowed: false, reason };
}

/** The same, but not about oneself: power comes from somebody else. */
export function mayOfOthers(user: User, deed: Deed, about: string | null): Permission {
  const permission = may(user, deed);
  return permission.allowed && user?.id === about ? { allowed: false, reason: own } : permission;
}

const own = 'Nobody changes this about themselves. Another administrator can, or the operator on the command line.';
const signedOut = 'You are signed out.';
