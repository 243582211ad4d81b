import type { Permission, SignedIn } from '../../../src/contract/console.ts';

type Person = SignedIn['person'] | null;

/** What may be done beside deciding requests. The server decides again, by its own. */
export type Deed = 'change-people' | 'change-groups' | 'change-servers' | 'write-policies';

/** The one table of who may do it, and what everybody else is told. */
export function may(person: Person, deed: Deed): Permission {
  if (person === null) return { allowed: false, reason: signedOut };
  return person.role === 'admin' ? { allowed: true, reason: null } : { allowed: false, reason: administrators[deed] };
}

const signedOut = 'You are signed out.';

const administrators: Record<Deed, string> = {
  'change-people': 'Only administrators change people.',
  'change-groups': 'Only administrators change groups.',
  'change-servers': 'Only administrators say who answers for a server.',
  'write-policies': 'Only administrators write policies.',
};
