import { digestOf } from '#platform/crypto/digest/digest';
import type { GroupId, UserId } from '#platform/model/id';
import { confirmationDue, confirmationStep, type GroupConfirmation } from '../contract/model-group-confirmation.ts';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import { isAdministrator, type RoleHolder } from '../../directory/contract/permission.ts';
import type { Alone, User } from '../../directory/contract/user.ts';
import type { DirectoryRecord, GroupRecord } from '../../directory/store/directory-record/directory-record.ts';
import { mayIn, maySeeSpace } from '#policies/deciding/verbs/rules/assert-may';
import {
  administratorsOf,
  changeDirectory,
  type Administrator,
  type Changer,
  type DecidedChange,
  type DirectoryEngine,
} from '../../directory/verbs/directory/change-directory.ts';
import { membersScope, membersChange } from './change-group.ts';
import { groupIn } from '../../directory/verbs/directory/in-directory.ts';
import { assertNotOwnConfirmation } from '../../directory/verbs/directory/own-power.ts';

/** Who confirms the members of a group, and how often. */
export interface ConfirmationRule {
  id: GroupId;
  /** Null: no one needs to. */
  days: number | null;
  owners: UserId[];
}

/**
 * Has the members of a group confirmed every so many days, beginning now. In a space its administrators say so; what keeps
 * members for longer, or names another owner, needs a second one.
 */
export const setConfirmation = (
  engine: DirectoryEngine,
  by: Administrator,
  { id, days, owners: named }: ConfirmationRule,
): Promise<Alone | null> =>
  changeDirectory(
    engine,
    by,
    (directory) => {
      const at = named.findIndex((owner) => !directory.users.some((user) => user.id === owner));
      if (at >= 0) throw invalidInput(['owners', at], 'Choose an existing person.');
      return confirmationChange(directory, { id, days, owners: named }, engine.now());
    },
    membersScope(id),
  );

/** What the rule writes; null if it holds already. */
export function confirmationChange(
  directory: DirectoryRecord,
  { id, days, owners: named }: ConfirmationRule,
  now: number,
): DecidedChange | null {
  const group = groupIn(directory, id);
  const owners = [...new Set(named)].toSorted();
  if ((group.confirmation?.days ?? null) === days && owners.join() === group.owners.join()) return null;
  const confirmation = days === null ? null : confirmationAfter(group.confirmation, days, now);
  return {
    write: { type: 'group-confirmation', id, owners, confirmation },
    event: { type: 'group.confirmation-set', group: id, days, owners },
  };
}

/** An end that was announced holds, unless a longer interval was agreed on: else it could be put off by small changes. */
function confirmationAfter(before: GroupRecord['confirmation'], days: number, now: number): GroupConfirmation {
  const lapsesAt = before && days <= before.days ? before.lapsesAt : null;
  return { days, confirmedAt: before?.confirmedAt ?? now, lapsesAt };
}

/** Those whom people here made members: a provider's members are confirmed at the provider. */
const confirmableMembers = ({ members, sources }: Pick<GroupRecord, 'members' | 'sources'>): UserId[] =>
  members.filter((member) => sources[member] === undefined).toSorted();

/** Of the list that someone reads before they confirm it. */
const membersDigest = (group: Pick<GroupRecord, 'id' | 'members' | 'sources'>): string =>
  digestOf({ group: group.id, members: confirmableMembers(group) });

interface ConfirmedList {
  id: GroupId;
  /** Of the list that was shown: of another one no one is confirmed. */
  digest: string;
  /** Those of the list who leave now. */
  remove?: readonly UserId[] | undefined;
}

/** Confirms exactly the members that were shown, apart from those who leave now. */
export async function confirmMembers(
  engine: DirectoryEngine,
  by: User | 'operator',
  { id, digest, remove = [] }: ConfirmedList,
): Promise<void> {
  await changeDirectory(
    engine,
    by,
    (directory) => {
      const group = groupIn(directory, id);
      assertConfirms(directory, by, group);
      if (!group.confirmation) throw new Problem('not-now', { refusal: { code: 'no-confirmation-needed' } });
      if (digest !== membersDigest(group)) throw new Problem('not-now', { refusal: { code: 'members-changed' } });
      assertListed(group, remove);
      const removed = remove.length > 0 ? membersChange(directory, by, id, { remove }) : null;
      const members = confirmableMembers(group).filter((member) => !remove.includes(member));
      assertNotOwnConfirmation(directory, by, group.name, members);
      return [
        ...(removed ? [removed] : []),
        ...confirmedBy(engine, group, { days: group.confirmation.days, members, digest }),
      ];
    },
    null,
  );
}

/** An owner takes out those whom the list has: a provider's members are the provider's. */
function assertListed(group: GroupRecord, remove: readonly UserId[]): void {
  const listed = new Set(confirmableMembers(group));
  const at = remove.findIndex((member) => !listed.has(member));
  if (at < 0) return;
  const message = 'Choose from the members that are to be confirmed.';
  throw invalidInput(['remove', at], message);
}

/** Entries are short: a long list takes several. */
const maxMembersTold = 1_000;

function confirmedBy(
  { now }: Pick<DirectoryEngine, 'now'>,
  { id, owners }: GroupRecord,
  { days, members, digest }: { days: number; members: UserId[]; digest: string },
): DecidedChange[] {
  const after = { days, confirmedAt: now(), lapsesAt: null };
  return inParts(members).map((part) => ({
    write: { type: 'group-confirmation', id, owners, confirmation: after },
    event: { type: 'group.confirmed', group: id, members: part, digest },
  }));
}

function inParts(members: UserId[]): UserId[][] {
  const parts = [members.slice(0, maxMembersTold)];
  for (let at = maxMembersTold; at < members.length; at += maxMembersTold)
    parts.push(members.slice(at, at + maxMembersTold));
  return parts;
}

/** A group that someone does not see is answered as if it were absent. */
function assertConfirms(directory: DirectoryRecord, by: User | 'operator', group: GroupRecord): void {
  if (by === 'operator') return;
  const user = directory.users.find(({ id, disabledAt }) => id === by.id && disabledAt === null);
  if (user && mayConfirm(directory, user, group)) return;
  if (!maySeeSpace(directory, by, group.spaceId)) throw new Problem('not-found');
  throw new Problem('forbidden', { refusal: { code: 'owners-confirm' } });
}

/** An owner, or someone who may change the members anyway. */
const mayConfirm = (directory: DirectoryRecord, person: RoleHolder & Pick<User, 'id'>, group: GroupRecord): boolean =>
  group.owners.includes(person.id) || mayIn(directory, person, 'change-space', group.spaceId);

/**
 * The people to whom a group says that its members must be confirmed: owners, or its space's administrators, or all. Those of
 * the list cannot confirm it.
 */
export function confirmersOf({ users, spaces }: DirectoryRecord, group: GroupRecord): UserId[] {
  const able = users.filter(({ disabledAt }) => disabledAt === null).map(({ id }) => id);
  const listed = new Set(confirmableMembers(group));
  const confirming = new Set(able.filter((id) => !listed.has(id)));
  const administrators = users.filter(isAdministrator).map(({ id }) => id);
  const choices = [group.owners, administratorsOf(spaces, group.spaceId), administrators];
  return (
    choices.map((ids) => ids.filter((id) => confirming.has(id))).find((ids) => ids.length > 0) ??
    administrators.filter((id) => able.includes(id))
  );
}

/** The groups whose members leave soon unless someone confirms them, the next one first. */
export const groupsDue = ({ groups }: DirectoryRecord): (GroupRecord & { lapsesAt: number })[] =>
  groups
    .flatMap((group) => {
      const lapsesAt = group.confirmation?.lapsesAt ?? null;
      return lapsesAt === null || confirmableMembers(group).length === 0 ? [] : [{ ...group, lapsesAt }];
    })
    .toSorted((a, b) => a.lapsesAt - b.lapsesAt);

/** The groups that wait for this person. */
export async function listGroupsDue({ directory }: Pick<DirectoryEngine, 'directory'>, reader: User) {
  const record = await directory.read();
  return (
    groupsDue(record)
      // Every page asks, and most people confirm nothing: who cannot is found without a look at everyone.
      .filter((group) => mayConfirm(record, reader, group) && confirmersOf(record, group).includes(reader.id))
      .map(({ id, name, lapsesAt }) => ({ id, name, lapsesAt }))
  );
}

/** When the members must be confirmed, and of which list; null if no one needs to. */
export const showConfirmation = (group: Readonly<GroupRecord>) =>
  group.confirmation && {
    ...group.confirmation,
    dueAt: confirmationDue(group.confirmation),
    members: confirmableMembers(group),
    digest: membersDigest(group),
  };

const time: Changer = { kind: 'timer' };

/**
 * Warns of the groups that must be confirmed soon, and takes out the members whom no one has confirmed in time: each group
 * in a commit of its own, decided on the directory of that commit, so that a confirmation that came first counts. A group
 * that fails holds up no other.
 */
export async function keepConfirmations(engine: DirectoryEngine): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of (await engine.directory.read()).groups.filter((group) => nextStep(group, engine.now())))
    await changeDirectory(engine, time, (directory) => timeChange(engine, directory, id), null).catch(
      (error: unknown) => failures.push(new Error(`the group ${id}`, { cause: error })),
    );
  if (failures.length > 0) throw new AggregateError(failures);
}

/** Who joins a group that has become empty was not warned of: there the warning ends. */
function nextStep(group: GroupRecord | undefined, now: number): ReturnType<typeof confirmationStep> {
  if (!group?.confirmation) return null;
  if (confirmableMembers(group).length > 0) return confirmationStep(group.confirmation, now);
  return group.confirmation.lapsesAt === null ? null : { type: 'lapse' };
}

function timeChange({ now }: Pick<DirectoryEngine, 'now'>, { groups }: DirectoryRecord, id: GroupId) {
  const group = groups.find((candidate) => candidate.id === id);
  const step = nextStep(group, now());
  if (!group?.confirmation || !step) return null;
  const { owners, confirmation } = group;
  const members = confirmableMembers(group);
  const write = (lapsesAt: number | null, confirmedAt = confirmation.confirmedAt) =>
    ({ type: 'group-confirmation', id, owners, confirmation: { ...confirmation, confirmedAt, lapsesAt } }) as const;
  if (step.type === 'warn') {
    const { lapsesAt } = step;
    const event = { type: 'group.confirmation-due', group: id, members: members.length, lapsesAt } as const;
    return [{ write: write(lapsesAt), event }];
  }
  const left: DecidedChange[] = inParts(members).map((removed) => ({
    write: { type: 'members', id, add: [], remove: removed },
    event: { type: 'group.members-changed', group: id, added: [], removed },
  }));
  const event = { type: 'group.lapsed', group: id, members: members.length } as const;
  return [...(members.length > 0 ? left : []), { write: write(null, now()), event }];
}
