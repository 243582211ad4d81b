import { faultOfIdentity, faultOfName, nameAt } from '#platform/model/identity';
import type { ProvenIdentity } from '../../contract/identity-provider/identity-provider.ts';
import { Problem } from '#platform/model/problem/problem';
import { SignInProblem } from '../../../sign-in/contract/problem.ts';
import type { NewPeopleRule, SignInProvider } from '../../contract/identity-provider/sign-in-provider.ts';
import { hasHiddenCharacters } from '#platform/text/hidden-characters/hidden-characters';
import type { User } from '#people/directory/contract/user';
import { addFromProvider } from '#people/users/verbs/add-user';
import type { FederationEngine } from './begin-attempt.ts';

interface NewPerson {
  email: string;
  name: string;
}

/** The person these claims describe, if the rule lets them in; null if it does not. */
function admittedBy(rule: NewPeopleRule, claims: Readonly<Record<string, unknown>>): NewPerson | null {
  const { name } = claims;
  const email = verifiedAddress(rule.verifiedBy, claims);
  if (email === null) return null;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const hasClaims = Object.entries(rule.claims).every(([claim, values]) =>
    valuesOf(claims[claim]).some((value) => values.includes(value)),
  );
  if (!rule.domains.includes(domain) || !hasClaims) return null;
  return {
    email,
    name: typeof name === 'string' && isReadable(name.trim()) ? name.trim() : email,
  };
}

/** The address that the provider has verified, in small letters; null if there is none. */
export function verifiedAddress(verifiedBy: string, claims: Readonly<Record<string, unknown>>): string | null {
  const { email } = claims;
  const isVerified = typeof email === 'string' && isAddress(email) && isTrue(claims[verifiedBy]);
  return isVerified ? email.toLowerCase() : null;
}

/** One address in one reading: the domain of the rule is the one that gets the mail. */
export const isAddress = (email: string): boolean =>
  email.length <= maxAddressLength && email.includes('@') && faultOfName(email) === null;
const maxAddressLength = 254;

/** People often write their name there themselves, and others read it where they decide. */
export const isReadable = (name: string): boolean =>
  name !== '' && name.length <= maxNameLength && !hasHiddenCharacters(name);
const maxNameLength = 200;

/** Some providers write the word. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** A claim of one text or of several. */
export const valuesOf = (claim: unknown): string[] =>
  [claim].flat().filter((value): value is string => typeof value === 'string');

/**
 * Adds the person with the role of the provider's rule, and with nothing else. Problem `forbidden` if there is no rule for
 * them, or if someone has their address: then no one is taken for someone else.
 */
export async function addByRule(
  engine: FederationEngine,
  { issuer, newPeople }: SignInProvider,
  { subject, claims }: ProvenIdentity,
): Promise<User> {
  const person = newPeople && admittedBy(newPeople, claims);
  if (!newPeople || !person || faultOfIdentity(nameAt({ issuer, subject })) !== null)
    throw new SignInProblem('not-invited');
  const identity = { issuer, subject, createdAt: engine.now() };
  try {
    return await addFromProvider(engine, { kind: 'provider', issuer }, { ...person, role: newPeople.role }, identity);
  } catch (error) {
    const isTaken = error instanceof Problem && (error.code === 'already-exists' || error.code === 'INVALID_INPUT');
    throw isTaken ? new SignInProblem('address-taken', { cause: error }) : error;
  }
}
