import type { UserChange } from '#audit/entries/rules/events';
import { foldSubject, faultOfIdentity, faultOfName, nameAt } from '#platform/model/identity';
import type { UserId, GroupId, SessionId } from '#platform/model/id';
import {
  mayVouchFor,
  verifiedByOf,
  type SignInProvider,
  type ProvenIdentity,
  type NewPeopleRule,
  type IdentityProvider,
} from '../contract/identity-provider.ts';
import type { UserRecord, GroupRecord } from '#people/directory/store/directory-record';
import type { UserSettings } from '#people/directory/store/tables';
import { changeDirectory, userIn } from '#people/directory/verbs/directory';
import { changeMembers } from '#people/groups/verbs';
import { Problem, invalidInput } from '#platform/model/problem';
import { SignInProblem } from '../../sign-in/contract/problem.ts';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import type { User, SignedInUser } from '#people/directory/contract/user';
import { addFromProvider } from '#people/users/verbs';
import { newAttempt } from '../../sign-in/rules.ts';
import { isOwnPath } from '#platform/model/own-path';
import type { AttemptPurpose } from '../store.ts';
import { assertStrongSignIn } from '../../sign-in/verbs/sessions.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

/**
 * Keeps another address that the provider has verified, once and for good. If the provider may speak for its domain, another account
 * with it counts as theirs; otherwise the address is a hint for administrators.
 */
export async function keepAddress(
  engine: FederationEngine,
  provider: SignInProvider,
  user: UserId,
  claims: Readonly<Record<string, unknown>>,
): Promise<void> {
  const address = verifiedAddress(verifiedByOf(provider), claims);
  if (address === null) return;
  const isVouched = mayVouchFor(provider, address);
  if (!keptBy(userIn(await engine.directory.read(), user), address, isVouched)) return;
  await changeDirectory(engine, { kind: 'provider', issuer: provider.issuer }, (directory) => {
    const set = keptBy(userIn(directory, user), address, isVouched);
    if (!set) return null;
    const changed: UserChange = { verifiedAddress: true, ...(isVouched && { vouchedAddress: true }) };
    return { write: { type: 'user', id: user, set }, event: { type: 'user.changed', user, changed } };
  });
}

/** The write that keeps it; null if it is kept already. */
function keptBy(
  { email, verifiedAddresses, vouchedAddresses }: UserRecord,
  address: string,
  isVouched: boolean,
): UserSettings | null {
  const set = {
    ...addedTo(email, verifiedAddresses, 'verifiedAddresses', address),
    ...(isVouched && addedTo(email, vouchedAddresses, 'vouchedAddresses', address)),
  };
  return Object.keys(set).length === 0 ? null : set;
}

function addedTo(
  email: string,
  addresses: readonly string[] | null,
  key: 'verifiedAddresses' | 'vouchedAddresses',
  address: string,
): UserSettings {
  const kept = addresses ?? [];
  const isKept = [email, ...kept].some((other) => foldSubject(other) === foldSubject(address));
  return isKept ? {} : { [key]: [...kept, address] };
}

interface Membership {
  user: UserId;
  /** The groups the claim names. */
  named: ReadonlySet<string>;
  /** The groups that the claim governs. */
  mapped: ReadonlySet<string>;
  /** Issuer of the provider. */
  issuer: string;
}

interface GroupChange {
  id: GroupId;
  add: UserId[];
  remove: UserId[];
}

/**
 * Changes of groups by the claim: a person that an administrator has put into a group stays there. A group that a
 * provider has made follows its provisioning, and no claim.
 */
export function groupChanges(
  groups: readonly GroupRecord[],
  { user, named, mapped, issuer }: Membership,
): GroupChange[] {
  return groups
    .filter(({ name, provisioned }) => mapped.has(name) && !provisioned)
    .flatMap(({ id, name, members, sources }): GroupChange[] => {
      const isMember = members.includes(user);
      if (named.has(name) && !isMember) return [{ id, add: [user], remove: [] }];
      return !named.has(name) && isMember && sources[user] === issuer ? [{ id, add: [], remove: [user] }] : [];
    });
}

/**
 * Sets the person's mapped groups as the claim says, each as a change of the directory by the provider. A claim that is
 * missing names none.
 */
export async function syncGroups(
  engine: FederationEngine,
  { issuer, groups: rule }: SignInProvider,
  user: UserId,
  claims: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!rule) return;
  const named = new Set(valuesOf(claims[rule.claim]).flatMap((value) => rule.map[value] ?? []));
  const mapped = new Set(Object.values(rule.map));
  const { groups } = await engine.directory.read();
  for (const { id, ...change } of groupChanges(groups, { user, named, mapped, issuer }))
    await changeMembers(engine, { kind: 'provider', issuer }, id, change);
}

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

/** Milliseconds in which someone must come back from the provider. */
export const attemptLifeMs = 600_000;

export type FederationEngine = Pick<
  Engine,
  | 'providers'
  | 'federation'
  | 'users'
  | 'directory'
  | 'environment'
  | 'now'
  | 'sessions'
  | 'secondFactor'
  | 'ring'
  | 'publicUrl'
  | 'health'
>;

export interface AttemptRequest {
  purpose: AttemptPurpose;
  returnTo: string;
  /** The assurance asked of the provider; absent asks for that of its settings. */
  acr?: string | undefined;
  /** The signed-in person; null for someone who signs in. */
  user: SignedInUser | null;
}

/**
 * Sends someone to a provider: to sign in, to prove again who they are, or to connect it. The secret is for the cookie only,
 * and stored nowhere.
 */
export async function beginAttempt(
  engine: FederationEngine,
  key: string,
  { purpose, returnTo, acr, user }: AttemptRequest,
) {
  const provider = providerOf(engine, key);
  if (!isOwnPath(returnTo)) throw wrongPath;
  if (purpose === 'connect') assertStrongSignIn(user ?? {}, engine.now());
  const sessionId = purpose === 'sign-in' ? null : await sessionOf(engine, user);
  const { secret, hash, ...secrets } = newAttempt();
  const location = await provider.authorizationUrl({
    ...secrets,
    redirectUri: redirectUri(engine, key),
    acr,
    maxAge: purpose === 'sign-in' ? Math.floor(engine.sessions.longest / 1000) : 0,
  });
  const createdAt = engine.now();
  const times = { createdAt, expiresAt: createdAt + attemptLifeMs };
  await engine.federation.beginAttempt({ hash, provider: key, purpose, sessionId, returnTo, ...times });
  return { secret, location };
}

const wrongPath = invalidInput(['returnTo'], 'Give a path of this console, such as /inbox.');

export function providerOf({ providers }: Pick<Engine, 'providers'>, key: string): IdentityProvider {
  const provider = providers.find(({ settings }) => settings.key === key);
  if (!provider) throw new Problem('not-found');
  return provider;
}

/** The address to which a provider sends people back; it is registered there letter by letter. */
export const redirectUri = ({ publicUrl }: Pick<Engine, 'publicUrl'>, key: string): string =>
  `${publicUrl()}/api/sign-in/${key}/callback`;

async function sessionOf({ users }: FederationEngine, user: SignedInUser | null): Promise<SessionId> {
  const id = user?.proof && (await users.sessionId(user.proof.hash));
  if (!id) throw new Problem('unauthenticated');
  return id;
}
