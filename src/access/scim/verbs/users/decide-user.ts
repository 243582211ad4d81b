import type { UserId } from '#platform/model/id';
import { builtInRoles, isBuiltInRole, type BuiltInRole } from '#people/directory/contract/permission';
import { nameAt, faultOfSubject } from '#platform/model/identity';
import { Problem } from '#platform/model/problem/problem';
import { ScimProblem } from '../../contract/problem.ts';
import type {
  DirectoryRecord,
  ProvisionedUser,
  UserRecord,
} from '#people/directory/store/directory-record/directory-record';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { newUser, newUserChange } from '#people/users/verbs/add-user';
import type { DecidedChange, JudgedDirectory } from '#people/directory/verbs/directory/change-directory';
import { membersChange } from '#people/groups/verbs/change-group';
import { userChange } from '#people/users/verbs/change-user';
import { connected } from '../../../oidc/verbs/identities/identities.ts';
import { claimValueOf, isProvisionedBy, provisionedBy, scimClaimOf, type ProvisionedRecord } from './provisioned.ts';
import { wrongValue } from '../attributes/attributes.ts';
import type { Provisioner } from '../tokens.ts';
import { nameOf, type ScimUser } from './scim-user.ts';

type Deciding = Pick<Engine, 'now' | 'ring' | 'passkeys'>;

/** What is decided on a person, and who they are. */
export interface DecidedUser {
  id: UserId;
  changes: DecidedChange[];
}

/** Adds a person, or takes up again who is this person already. */
export function addition(
  engine: Deciding,
  provisioner: Provisioner,
  directory: JudgedDirectory,
  sent: ScimUser,
): DecidedUser {
  const { issuer } = provisioner.by;
  const user = { ...sent, active: sent.active ?? true };
  const existing = knownPerson(provisioner, directory, user);
  if (existing) return { id: existing.id, changes: update(engine, provisioner, directory, existing, user) };
  assertFreeNames(provisioner, directory, user);
  assertOwnDomain(provisioner, user.email);
  const now = engine.now();
  const subject = subjectOf(provisioner, user);
  const person = newUser({ email: user.email, name: nameOf(user), role: provisioner.newPeople.role });
  const identity = subject === null ? null : { issuer, subject, linkedById: null, createdAt: now };
  const access = {
    passwordHash: null,
    provisioned: provisionedAs(issuer, user, { disabledAt: user.active ? null : now }),
    ...(identity && { identity, subjects: [nameAt(identity)] }),
  };
  const former = formerOf(provisioner, directory, user);
  const added = orTaken(() => newUserChange(directory, provisioner.by, person, {}, access), former);
  const { id } = person;
  const disabled: DecidedChange = {
    write: { type: 'user', id, set: { disabledAt: now } },
    event: { type: 'user.changed', user: id, changed: { disabled: true } },
  };
  return { id, changes: [added, ...(user.active ? [] : [disabled])] };
}

/** What makes the person as the provider describes them: nothing if they are so already. */
export function update(
  engine: Deciding,
  provisioner: Provisioner,
  directory: JudgedDirectory,
  person: Readonly<UserRecord>,
  sent: ScimUser,
): DecidedChange[] {
  const { by } = provisioner;
  const user = { ...sent, active: sent.active ?? person.disabledAt === null };
  assertFreeNames(provisioner, directory, user, person);
  assertSamePerson(provisioner, directory, person, user);
  const now = engine.now();
  const isDisabling = !user.active && person.disabledAt === null;
  const isEnabling = user.active && person.disabledAt !== null;
  if (isEnabling) assertMayEnable(provisioner, directory, person);
  const isMoved = user.active && user.email !== person.email;
  if (isMoved) assertMayMove(provisioner, directory, person, user.email);
  const identity = newIdentityOf(engine, provisioner, directory, person, user);
  const base = identity ? withNames(directory, person, identity.write.subjects) : directory;
  const changes = { name: nameOf(user, person), disabled: !user.active, ...(isMoved && { email: user.email }) };
  const changed = orTaken(() => userChange(engine, base, by, { id: person.id, changes, at: now }));
  const before = person.provisioned;
  const disabledAt = isDisabling ? now : isEnabling ? null : (before?.disabledAt ?? null);
  const externalId = user.externalId ?? before?.externalId ?? null;
  const next = provisionedAs(by.issuer, { ...user, externalId }, { disabledAt });
  return [identity, changed, provisionedChange(person, next)].filter((change) => change !== null);
}

/** Disables the person, and takes them out of the groups in which they are by this provider. */
export function removal(
  engine: Deciding,
  { by }: Provisioner,
  directory: JudgedDirectory,
  person: ProvisionedRecord,
): DecidedChange[] {
  const now = engine.now();
  const { provisioned } = person;
  const disabledAt = person.disabledAt === null ? now : provisioned.disabledAt;
  const left = directory.groups
    .filter(({ sources }) => sources[person.id] === by.issuer)
    .map(({ id }) => membersChange(directory, by, id, { remove: [person.id] }));
  return [
    userChange(engine, directory, by, { id: person.id, changes: { disabled: true }, at: now }),
    provisionedChange(person, { ...provisioned, disabledAt, deletedAt: now }),
    ...left,
  ].filter((change) => change !== null);
}

const provisionedAs = (
  issuer: string,
  { userName, externalId, givenName, familyName }: ScimUser,
  { disabledAt }: Pick<ProvisionedUser, 'disabledAt'>,
): ProvisionedUser => ({ issuer, userName, externalId, givenName, familyName, disabledAt, deletedAt: null });

function provisionedChange(
  { id, provisioned: before }: Readonly<UserRecord>,
  next: ProvisionedUser,
): DecidedChange | null {
  const keys = Object.keys(next) as (keyof ProvisionedUser)[];
  if (before && keys.every((key) => before[key] === next[key])) return null;
  return {
    write: { type: 'provisioned-user', id, provisioned: next },
    event: { type: 'user.provisioned', user: id, isDeleted: next.deletedAt !== null },
  };
}

/**
 * Who is this person already: they have connected exactly this identity, or signed in with the same value of the claim, or
 * the provider has deleted them under it. An address alone is never enough: it may have been given to someone else.
 */
function knownPerson(
  provisioner: Provisioner,
  { users }: DirectoryRecord,
  user: ScimUser,
): Readonly<UserRecord> | null {
  const { by, rule } = provisioner;
  const value = claimValueOf(rule, user);
  const owners = users.filter(ownsIdentity(provisioner, user));
  if (owners.length > 1) throw conflict();
  const returning = users.find(
    ({ provisioned }) =>
      provisioned?.issuer === by.issuer &&
      provisioned.deletedAt !== null &&
      value !== null &&
      claimValueOf(rule, provisioned) === value,
  );
  const person = owners[0] ?? returning ?? null;
  if (person?.provisioned && (person.provisioned.issuer !== by.issuer || isProvisionedBy(by.issuer, person)))
    throw conflict();
  return person;
}

/** A forged row of an identity is no one's: the row of the person, which the log proves, must name it as well. */
function ownsIdentity(provisioner: Provisioner, user: ScimUser): (person: Readonly<UserRecord>) => boolean {
  const { by, rule } = provisioner;
  const subject = subjectOf(provisioner, user);
  const scimClaim = scimClaimOf(rule, claimValueOf(rule, user));
  return ({ identities, subjects }) =>
    identities.some(
      (identity) =>
        identity.issuer === by.issuer &&
        (identity.subject === subject || (scimClaim !== null && identity.scimClaim === scimClaim)) &&
        subjects.includes(nameAt(identity)),
    );
}

/** The subject of the provider's tokens, if the settings say that the attribute has it. */
const subjectOf = ({ rule }: Provisioner, user: ScimUser): string | null => {
  const value = rule.claim === 'sub' ? claimValueOf(rule, user) : null;
  const fault = value === null ? null : faultOfSubject(value);
  if (fault !== null) throw wrongValue([rule.attribute], fault);
  return value;
};

/** Connects the person with the identity that the attribute names; null if they are, or if it names none. */
function newIdentityOf(
  engine: Deciding,
  provisioner: Provisioner,
  directory: DirectoryRecord,
  person: Readonly<UserRecord>,
  user: ScimUser,
) {
  const { issuer } = provisioner.by;
  const subject = subjectOf(provisioner, user);
  if (subject === null) return null;
  const own = person.identities.filter((identity) => identity.issuer === issuer);
  if (own.some((identity) => identity.subject === subject)) return null;
  if (own.length > 0) {
    const message = 'Add another person: this one is connected with another identity, which never changes.';
    throw new ScimProblem('mutability', { errors: [{ path: [provisioner.rule.attribute], message }] });
  }
  const at = engine.now();
  return orTaken(() => connected(engine, person.id, { issuer, subject }, { directory, by: null, at }));
}

const withNames = (directory: JudgedDirectory, { id }: Readonly<UserRecord>, subjects: string[]): JudgedDirectory => ({
  ...directory,
  users: directory.users.map((user) => (user.id === id ? { ...user, subjects } : user)),
});

/** Two people of one provider never have the same name or id there. */
function assertFreeNames(
  { by }: Provisioner,
  directory: DirectoryRecord,
  { userName, externalId }: ScimUser,
  person?: Readonly<UserRecord>,
): void {
  const name = userName.toLowerCase();
  const isTaken = provisionedBy(directory, by.issuer).some(
    ({ id, provisioned }) =>
      id !== person?.id &&
      (provisioned.userName.toLowerCase() === name || (externalId !== null && provisioned.externalId === externalId)),
  );
  if (isTaken) throw conflict();
}

function assertOwnDomain({ newPeople: { domains } }: Provisioner, email: string): void {
  if (domains.includes(email.slice(email.lastIndexOf('@') + 1))) return;
  throw wrongValue(['emails'], 'Give an address of a domain that the settings name at "newPeople.domains".');
}

/** Mails that let people in go to their address. */
function assertMayMove(
  provisioner: Provisioner,
  directory: DirectoryRecord,
  person: Readonly<UserRecord>,
  email: string,
): void {
  assertOwnDomain(provisioner, email);
  if (hasMore(provisioner, directory, person))
    throw new Problem('forbidden', {
      detail: 'Leave the address: who has more power than the rule for new people gives keeps theirs.',
    });
}

/**
 * Who signs in with another value of the claim would be this person, so a provider changes it only of those who have no more than it
 * gives. A sign-in with the value has proven it.
 */
function assertSamePerson(
  provisioner: Provisioner,
  directory: DirectoryRecord,
  person: Readonly<UserRecord>,
  user: ScimUser,
): void {
  const { rule } = provisioner;
  const [before, after] = [person.provisioned && claimValueOf(rule, person.provisioned), claimValueOf(rule, user)];
  if (person.provisioned === null || after === null || after === before || ownsIdentity(provisioner, user)(person))
    return;
  if (hasMore(provisioner, directory, person) || isTrusted(directory, person))
    throw new Problem('forbidden', {
      detail: `Leave ${rule.attribute} as it is, or have the operator connect this person: people here have given them power.`,
    });
}

/** A provider enables whom it has disabled itself, and no one who then has more power than its rule gives. */
function assertMayEnable(provisioner: Provisioner, directory: DirectoryRecord, person: Readonly<UserRecord>): void {
  if (person.provisioned?.disabledAt !== person.disabledAt)
    throw new Problem('forbidden', { detail: 'Ask an administrator to enable this person: they were disabled here.' });
  if (hasMore(provisioner, directory, person))
    throw new Problem('forbidden', {
      detail: 'Ask an administrator to enable this person: they have more power than the rule for new people gives.',
    });
}

/** More power than the rule for new people gives, by a role or a permission. */
function hasMore(
  { newPeople }: Provisioner,
  { spaces }: DirectoryRecord,
  { id, role, mayBreakGlass }: Readonly<UserRecord>,
): boolean {
  const isMore = isBuiltInRole(role) ? placeOf(role) < placeOf(newPeople.role) : true;
  const isInSpace = spaces.some(({ members }) => members.some(({ userId }) => userId === id));
  return isMore || mayBreakGlass || isInSpace;
}

/** Does a policy ask them because of what people here, and no provider, have made them? */
const isTrusted = ({ users, groups, servers }: DirectoryRecord, { id }: Readonly<UserRecord>): boolean =>
  groups.some(({ members, sources }) => members.includes(id) && sources[id] === undefined) ||
  servers.some(({ ownerId }) => ownerId === id) ||
  users.some(({ managerId }) => managerId === id);

/** The roles are in the order of their power. */
const placeOf = (role: BuiltInRole): number => builtInRoles.indexOf(role);

/** Whom this provider has deleted under the same name and another value of the claim: they may come back, or be someone else. */
const formerOf = ({ by }: Provisioner, { users }: DirectoryRecord, { userName }: ScimUser) =>
  users.find(
    ({ provisioned }) =>
      provisioned?.issuer === by.issuer &&
      provisioned.deletedAt !== null &&
      provisioned.userName.toLowerCase() === userName.toLowerCase(),
  );

const returningUnderAnother = (cause: unknown): ScimProblem =>
  new ScimProblem('uniqueness', {
    detail:
      'Someone of this name was deleted under another id. If they come back, have the operator run: assentry user connect EMAIL ISSUER SUBJECT. Then add them again.',
    cause,
  });

/** It says nothing of the other person, who may be of another source. */
const conflict = (cause?: unknown): ScimProblem =>
  new ScimProblem('uniqueness', {
    detail: 'Check who has this name or address: it is another person, who is not taken over by it.',
    cause,
  });

function orTaken<T>(work: () => T, former?: Readonly<UserRecord>): T {
  try {
    return work();
  } catch (error) {
    const isTaken = error instanceof Problem && ['already-exists', 'INVALID_INPUT'].includes(error.code);
    if (!isTaken) throw error;
    throw former ? returningUnderAnother(error) : conflict(error);
  }
}
