import type { Permission, SignedIn } from '../../../src/contract/console.ts';
import type { Role } from '../../../src/model/person.ts';

type Person = SignedIn['person'] | null;

/** What may be done beside deciding requests. The server decides again, by its own. */
export type Deed = keyof typeof rules;

/** The one table of who may do it, and what everybody else is told. */
const rules = {
  'change-people': { roles: ['admin'], reason: 'Only administrators change people.' },
  'change-groups': { roles: ['admin'], reason: 'Only administrators change groups.' },
  'change-servers': { roles: ['admin'], reason: 'Only administrators say who answers for a server.' },
  'write-policies': { roles: ['admin'], reason: 'Only administrators write policies.' },
  'end-grants': { roles: ['admin', 'approver'], reason: 'Reviewers look; they do not change this.' },
} as const satisfies Record<string, { roles: readonly Role[]; reason: string }>;

export function may(person: Person, deed: Deed): Permission {
  if (person === null) return { allowed: false, reason: signedOut };
  const { roles, reason }: { roles: readonly Role[]; reason: string } = rules[deed];
  return roles.includes(person.role) ? { allowed: true, reason: null } : { allowed: false, reason };
}

const signedOut = 'You are signed out.';
