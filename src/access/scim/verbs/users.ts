import type { ScimRule } from '../../oidc/contract/identity-provider.ts';
import type { DirectoryRecord, ProvisionedUser, UserRecord } from '#people/directory/store/directory-record';
import { type UserId, isId } from '#platform/model/id';
import { builtInRoles, isBuiltInRole, type BuiltInRole } from '#people/directory/contract/permission';
import { nameAt, faultOfSubject } from '#platform/model/identity';
import { Problem } from '#platform/model/problem';
import { ScimProblem, scimTypes } from '../contract/problem.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { newUser, newUserChange, userChange, voidVotes } from '#people/users/verbs';
import {
  type DecidedChange,
  type JudgedDirectory,
  changeDirectory,
  type DirectoryEngine,
} from '#people/directory/verbs/directory';
import { membersChange } from '#people/groups/verbs';
import { connected } from '../../oidc/verbs/identities.ts';
import {
  wrongValue,
  knownPart,
  knownPath,
  withKnownNames,
  withKnownParts,
  flagAt,
  objectsAt,
  resourceOf,
  textAt,
  type Attributes,
  type Resource,
  assertSameId,
  assertSameVersion,
  listOf,
  type ListRequest,
  type ListResponse,
} from './attributes.ts';
import type { Provisioner } from './tokens.ts';
import { ScimError, scimPatch } from 'scim-patch';
import { parse, stringify, type Compare, type Filter } from 'scim2-parse-filter';
import { isAddress, isReadable } from '../../oidc/verbs/sign-in.ts';
import type { ChangingEngine } from '#requests/state/verbs/change';

/** A person whom a provider provisions, and has not deleted. */
export type ProvisionedRecord = Readonly<UserRecord> & { provisioned: ProvisionedUser };

const isProvisionedBy = (issuer: string, user: Readonly<UserRecord>): user is ProvisionedRecord =>
  user.provisioned?.issuer === issuer && user.provisioned.deletedAt === null;

/** The people whom this provider provisions. */
export const provisionedBy = ({ users }: DirectoryRecord, issuer: string): ProvisionedRecord[] =>
  users.filter((user) => isProvisionedBy(issuer, user));

/** Claim and value by which SCIM finds someone who has signed in before; null if that is the subject, or not said. */
export const scimClaimOf = ({ claim }: ScimRule, value: unknown): string | null =>
  claim !== 'sub' && typeof value === 'string' ? JSON.stringify([claim, value]) : null;

/** Value of the rule's claim in this person's ID tokens; null if the provider has not said it. */
export const claimValueOf = (
  { attribute }: ScimRule,
  user: Pick<ProvisionedUser, 'userName' | 'externalId'>,
): string | null => user[attribute];

type Deciding = Pick<Engine, 'now' | 'ring' | 'passkeys'>;

/** The decided change of a person, and who they are. */
interface DecidedUser {
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

/** Changes that make the person as the provider describes them: none if they are so already. */
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
 * The existing account of this person: they have connected exactly this identity, or signed in with the same value of
 * the claim, or the provider has deleted them under it. An address alone is never enough: it may have been given to
 * someone else.
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
 * Someone who signs in with another value of the claim would be this person, so a provider changes it only for people
 * who have no more than it gives. A sign-in with the value has proven it.
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

/**
 * The person whom this provider has deleted under the same name and another value of the claim: they may come back, or
 * be someone else.
 */
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

// The library walks any path, also one that leads out of the resource, such as `hasOwnProperty.call`. So it gets no other
// names than those that Assentry reads; a change of any other attribute changes nothing.

/** One operation of a PATCH, as it was sent. */
export interface PatchOperation {
  op: string;
  path?: string | null | undefined;
  value?: unknown;
}

/** The attributes after all operations, or a problem that names the operation; the given ones stay as they are. */
export function patched(
  attributes: Readonly<Record<string, unknown>>,
  operations: readonly PatchOperation[],
): Record<string, unknown> {
  const steps = operations.flatMap((operation, at) => stepsOf(operation, at));
  return steps.reduce(resourceAfter, structuredClone(withKnownNames(attributes)));
}

/** The cost of each step grows with them. */
const maxAddresses = 100;

function resourceAfter(resource: Record<string, unknown>, step: Step): Record<string, unknown> {
  const { at, ...operation } = step;
  if (step.path === 'members') return { ...resource, members: membersAfter(resource['members'], step) };
  try {
    const after: Record<string, unknown> = scimPatch(resource as never, [operation as never], {
      mutateDocument: true,
      treatMissingAsAdd: true,
    });
    if (![after['emails']].flat()[maxAddresses]) return withOnePrimary(after, step);
  } catch (error) {
    const code = error instanceof ScimError ? error.scimCode : undefined;
    const scimType = scimTypes.find((type) => type === code) ?? 'invalidPath';
    throw refusal(scimType, at, 'path', wrongPath, error);
  }
  throw refusal('invalidValue', at, 'value', `Give at most ${maxAddresses} addresses.`);
}

/** RFC 7644, section 3.5.2: a value that is added as the primary one is the only one. */
function withOnePrimary(resource: Record<string, unknown>, { op, path, value }: Step): Record<string, unknown> {
  const isPrimary = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && 'primary' in item && /^true$/i.test(String(item.primary));
  if (op !== 'add' || path !== 'emails' || ![value].flat().some(isPrimary)) return resource;
  const emails = [resource['emails']].flat();
  const last = emails.findLastIndex(isPrimary);
  return {
    ...resource,
    emails: emails.map((item, at) => (at !== last && isPrimary(item) ? { ...(item as object), primary: false } : item)),
  };
}

/** By their ids, in one walk: the library compares each with each, and with the names that some providers send as well. */
function membersAfter(before: unknown, { op, value }: Step): unknown[] {
  if (op === 'remove' && value === undefined) return [];
  const [current, sent] = [[before ?? []].flat(), [value ?? []].flat()];
  if (op === 'replace') return sent;
  const without = new Set((op === 'add' ? current : sent).map(idOf));
  return op === 'add'
    ? [...current, ...sent.filter((member) => !without.has(idOf(member)))]
    : current.filter((member) => !without.has(idOf(member)));
}

const idOf = (member: unknown): unknown =>
  typeof member === 'object' && member !== null && 'value' in member ? member.value : member;

interface Step {
  op: string;
  path: string;
  value?: unknown;
  /** The place of its operation. */
  at: number;
}

/** Without a path the value names what it changes: then each attribute is a step, also with a path for a name. */
function stepsOf({ op: sent, path, value }: PatchOperation, at: number): Step[] {
  const op = sent.toLowerCase();
  if (!['add', 'replace', 'remove'].includes(op))
    throw refusal('invalidSyntax', at, 'op', 'Give add, replace or remove.');
  if (path !== undefined && path !== null && path !== '')
    return stepsAt(op, path, op === 'remove' && !isSet(value) ? undefined : value, at);
  if (op === 'remove') throw refusal('noTarget', at, 'path', 'Give the path of what to remove.');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal('invalidValue', at, 'value', 'Give an object: without a path, it names the attributes.');
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => stepsAt(op, name, part, at));
}

/** None for an attribute that Assentry does not read. */
function stepsAt(op: string, sent: string, value: unknown, at: number): Step[] {
  const path = readPath(sent, at);
  if (path === null) return [];
  if (op !== 'remove' && value === undefined)
    throw refusal('invalidValue', at, 'value', 'Give a value: this is missing.');
  const [, member] = op === 'remove' ? (memberPattern.exec(path) ?? []) : [];
  if (member !== undefined) return [{ op, path: 'members', value: { value: member }, at }];
  return [{ op, path, ...(value !== undefined && { value: withKnownParts(value) }), at }];
}

/** The usual way to take one person out of a group. */
const memberPattern = /^members\[value eq "([\w-]+)"\]$/i;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** An attribute, which of its values, and a part of it. With brackets in its filter, the library reads on behind them. */
const pathPattern = /^(\w+)(\[[^[\]]+\])?(?:\.(\w+))?$/;
/** The library's tokenizer takes exponential time for line ends in a text that does not end. */
const isControl = /\p{Cc}/u;
const maxPathLength = 1000;

/** With the names that Assentry reads; null for a path to something else. */
function readPath(sent: string, at: number): string | null {
  if (sent.length > maxPathLength || isControl.test(sent))
    throw refusal('invalidPath', at, 'path', `Give the path of an attribute, in at most ${maxPathLength} characters.`);
  const path = knownPath(sent);
  if (path === null) return null;
  const [, name = '', filter, part] = pathPattern.exec(path) ?? [];
  if (name === '') throw refusal('invalidPath', at, 'path', wrongPath);
  const chosen = filter === undefined ? '' : `[${readFilter(name, filter.slice(1, -1), at)}]`;
  const readPart = part === undefined ? '' : knownPart(part);
  return readPart === undefined ? null : `${name}${chosen}${part === undefined ? '' : `.${readPart}`}`;
}

function readFilter(name: string, sent: string, at: number): string {
  try {
    return stringify(readTest(name, parse(sent)));
  } catch (error) {
    throw refusal('invalidPath', at, 'path', wrongPath, error);
  }
}

/**
 * Corrects the case of a test for the library: it finds nothing under another case, and then adds a second value where
 * one was to change.
 */
function readTest(name: string, test: Filter): Filter {
  switch (test.op) {
    case 'and':
    case 'or':
      return { ...test, filters: test.filters.map((part) => readTest(name, part)) };
    case 'not':
      return { ...test, filter: readTest(name, test.filter) };
    case '[]':
      throw new Error('a filter in a filter');
    case 'pr':
      return { ...test, attrPath: readAttribute(test.attrPath) };
    default: {
      const attrPath = readAttribute(test.attrPath);
      return { ...test, attrPath, compValue: readCompared(name, attrPath, test.compValue) };
    }
  }
}

const readAttribute = (sent: string): string => knownPart(sent) ?? sent;

/** Some providers write the word for a flag. Ids of members differ by case. */
function readCompared(name: string, part: string, value: Compare['compValue']): Compare['compValue'] {
  if (typeof value !== 'string') return value;
  const small = value.toLowerCase();
  if (part === 'primary' && (small === 'true' || small === 'false')) return small === 'true';
  return name === 'emails' ? small : value;
}

const wrongPath = 'Give a path of RFC 7644, section 3.5.2, that leads to something.';

const refusal = (
  scimType: ScimProblem['scimType'],
  at: number,
  part: string,
  message: string,
  cause?: unknown,
): ScimProblem => new ScimProblem(scimType, { errors: [{ path: ['Operations', at, part], message }], cause });

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A person as their provider describes them. Null is what it does not say. */
interface ScimUser {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  formatted: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string;
  active: boolean | null;
}

/** Reads the known attributes; a problem names the first that is missing or wrong. */
function readScimUser(attributes: Attributes): ScimUser {
  const sent = withKnownNames(attributes);
  const userName = textAt(sent['userName'], ['userName']);
  if (userName === null) throw wrongValue(['userName'], 'Give a value: this is missing.');
  const [name = {}] = objectsAt(sent['name'], ['name']);
  return {
    userName,
    externalId: textAt(sent['externalId'], ['externalId']),
    displayName: textAt(sent['displayName'], ['displayName']),
    formatted: textAt(name['formatted'], ['name', 'formatted']),
    givenName: textAt(name['givenName'], ['name', 'givenName']),
    familyName: textAt(name['familyName'], ['name', 'familyName']),
    email: readAddress(sent['emails'], userName),
    active: flagAt(sent['active'], ['active']),
  };
}

/** The primary address, else that of work, else the first; the user name if it is one and no other is sent. */
function readAddress(emails: unknown, userName: string): string {
  const all = objectsAt(emails, ['emails']);
  const chosen = [
    all.findIndex(({ primary }, at) => flagAt(primary, ['emails', at, 'primary']) === true),
    all.findIndex(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work'),
    0,
  ].find((at) => at >= 0) as number;
  const path = all.length > 0 ? ['emails', chosen, 'value'] : ['emails'];
  const address = all.length > 0 ? textAt(all[chosen]?.['value'], path, 254) : userName;
  if (address === null || !isAddress(address)) throw wrongValue(path, 'Give an email address such as ada@example.com.');
  return address.toLowerCase();
}

/**
 * The name that people read, which hides nothing from them; of someone known, it changes only if what it is made of does.
 * A name that hides something is passed over, because the rest of what the provider says still counts.
 */
export function nameOf(
  { displayName, formatted, givenName, familyName, userName, email }: ScimUser,
  before: UserRecord | null = null,
): string {
  const full = [givenName, familyName].filter((part) => part !== null).join(' ');
  const readable = (...names: (string | null)[]) => names.find((name) => name !== null && isReadable(name));
  if (!before) return readable(displayName, formatted, full, userName) ?? email;
  const changed = readable(...[displayName, formatted].filter((name) => name !== before.name));
  const { provisioned } = before;
  const isFullNew = provisioned && (givenName !== provisioned.givenName || familyName !== provisioned.familyName);
  return changed ?? (isFullNew ? readable(full) : undefined) ?? before.name;
}

/** A person as SCIM reads them. */
export function showScimUser(user: ProvisionedRecord, publicUrl: string): Resource {
  const { userName, externalId, givenName, familyName } = user.provisioned;
  return resourceOf(
    {
      schemas: [userSchema],
      id: user.id,
      ...(externalId !== null && { externalId }),
      userName,
      displayName: user.name,
      name: {
        formatted: user.name,
        ...(givenName !== null && { givenName }),
        ...(familyName !== null && { familyName }),
      },
      emails: [{ value: user.email, type: 'work', primary: true }],
      active: user.disabledAt === null,
    },
    {
      resourceType: 'User',
      created: new Date(user.createdAt).toISOString(),
      location: `${publicUrl}/scim/v2/Users/${user.id}`,
    },
  );
}

export type ProvisioningEngine = DirectoryEngine & ChangingEngine & Pick<Engine, 'ring' | 'publicUrl' | 'passkeys'>;

/** The people of this provider that fit, a page of them. */
export async function listScimUsers(
  { directory, publicUrl }: Pick<ProvisioningEngine, 'directory' | 'publicUrl'>,
  { by }: Provisioner,
  request: ListRequest,
): Promise<ListResponse> {
  const url = publicUrl();
  return listOf(
    provisionedBy(await directory.read(), by.issuer),
    request,
    (user) => showScimUser(user, url),
    ({ name, provisioned: { userName, externalId } }) => ({ userName, externalId, displayName: name }),
  );
}

/** Problem `not-found` for people of other sources as for those who do not exist. */
export async function showOneScimUser(engine: ProvisioningEngine, by: Provisioner, id: string): Promise<Resource> {
  return showScimUser(userOf(await engine.directory.read(), by, id), engine.publicUrl());
}

/**
 * Adds a person with the role of the provider's rule. Someone who is connected with exactly this identity of the provider,
 * or whom it had deleted, is taken up again; anyone else who has the address is a conflict.
 */
export async function addScimUser(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  attributes: Attributes,
): Promise<Resource> {
  const user = readScimUser(attributes);
  return store(engine, provisioner, (directory) => addition(engine, provisioner, directory, user));
}

/** Sets what the provider says of a person, in one commit. */
export async function replaceScimUser(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  attributes: Attributes,
  ifMatch?: string,
): Promise<Resource> {
  assertSameId(id, attributes);
  const user = readScimUser(attributes);
  return change(engine, provisioner, id, ifMatch, () => user);
}

/** Changes a person by operations, which count together or not at all. */
export const patchScimUser = (
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  operations: readonly PatchOperation[],
  ifMatch?: string,
): Promise<Resource> =>
  change(engine, provisioner, id, ifMatch, (before) => {
    const after = patched(before, operations);
    assertSameId(id, after);
    return readScimUser(after);
  });

const change = (
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  ifMatch: string | undefined,
  userAfter: (before: Resource) => ScimUser,
): Promise<Resource> =>
  store(engine, provisioner, (directory) => {
    const person = userOf(directory, provisioner, id);
    const before = showScimUser(person, engine.publicUrl());
    assertSameVersion(ifMatch, before);
    return { id: person.id, changes: update(engine, provisioner, directory, person, userAfter(before)) };
  });

/** Disables the person and takes them out of the provider's groups; to the provider they are absent from then on. */
export async function removeScimUser(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  id: string,
  ifMatch?: string,
): Promise<void> {
  await decide(engine, provisioner, (directory) => {
    const person = userOf(directory, provisioner, id);
    assertSameVersion(ifMatch, showScimUser(person, engine.publicUrl()));
    return { id: person.id, changes: removal(engine, provisioner, directory, person) };
  });
}

/** Stores all of it in one commit. As with an administrator, votes that no longer count are shown as void at once. */
async function decide(
  engine: ProvisioningEngine,
  { by }: Provisioner,
  decideUser: (directory: JudgedDirectory) => DecidedUser,
): Promise<UserId> {
  let decided: DecidedUser | undefined;
  await changeDirectory(engine, by, (directory) => (decided = decideUser(directory)).changes);
  const { id, changes } = decided as DecidedUser;
  if (changes.some(({ write }) => write.type === 'user' || write.type === 'identity')) await voidVotes(engine, id);
  return id;
}

async function store(
  engine: ProvisioningEngine,
  provisioner: Provisioner,
  decideUser: (directory: JudgedDirectory) => DecidedUser,
): Promise<Resource> {
  return showOneScimUser(engine, provisioner, await decide(engine, provisioner, decideUser));
}

function userOf(directory: DirectoryRecord, { by }: Provisioner, id: string): ProvisionedRecord {
  const user = isId('user', id) && directory.users.find((candidate) => candidate.id === id);
  if (!user || !isProvisionedBy(by.issuer, user)) throw new Problem('not-found');
  return user;
}
