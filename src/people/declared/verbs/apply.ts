import { newId } from '#platform/crypto/random';
import type { GroupId, RoleId, UserId } from '#platform/model/id';
import { holderOf, may } from '../../directory/contract/permission.ts';
import { Problem } from '#platform/model/problem';
import type { Alone } from '../../directory/contract/user.ts';
import type { DirectoryRecord, UserRecord } from '../../directory/store/directory-record.ts';
import type { InCommit } from '#platform/database/database';
import { assertMay } from '../../directory/verbs/may.ts';
import type { ChangingEngine } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import { newUser, newUserChange, userChange, voidVotes, type UserChanges } from '../../users/verbs.ts';
import {
  changeDirectory,
  needsSecond,
  outdatedChange,
  refuseAlone,
  refuseToken,
  takesTooMuch,
  type Administrator,
  type DecidedChange,
  type DirectoryEngine,
  judgedDirectory,
  type JudgedDirectory,
} from '../../directory/verbs/directory.ts';
import {
  confirmationChange,
  deletedGroupChange,
  groupChange,
  membersChange,
  newGroupChange,
  ownerChange,
  assertGroupNotNamed,
  assertRoleNotNamed,
} from '../../groups/verbs.ts';
import { newRoleChange, removedRoleChange, roleChange, votersLostBy, peopleWith } from '../../roles/verbs.ts';
import { givesPower } from '../../directory/verbs/power.ts';
import { draftOf, writeDraft, type DirectoryDraft, confirmationOf, refOf, settingsOf } from './plan.ts';
import type { DirectoryStep, PersonRef, PersonSettings } from '../contract.ts';

type DeclaringEngine = DirectoryEngine & ChangingEngine & Pick<Engine, 'passkeys' | 'policies'>;

/**
 * Makes all of these changes or none, in one commit with an entry for each. People who are added get no link: they sign in at
 * an identity provider, or are sent one later. Has the problems of the verbs for single changes.
 */
export async function applyDirectory(
  engine: DeclaringEngine,
  by: Administrator,
  { changes }: { changes: readonly DirectoryStep[] },
): Promise<{ alone: Alone | null }> {
  assertMay(by, 'change-directory');
  const refusals = await refusalsOf(engine, changes);
  let voided: UserId[] = [];
  const alone = await changeDirectory(engine, by, (directory) => {
    const decided = decideSteps(engine, directory, by, { changes, refusals });
    voided = decided.flatMap(({ loseVotes }) => loseVotes);
    return decided;
  });
  for (const id of voided) await voidVotes(engine, id);
  return { alone };
}

/** Has the problems that making these changes would have now, and makes none. That a second administrator has to accept is none. */
export async function dryRunDirectory(
  engine: DeclaringEngine,
  by: Administrator,
  { changes }: { changes: readonly DirectoryStep[] },
): Promise<void> {
  const refusals = await refusalsOf(engine, changes);
  const directory = judgedDirectory(engine, await engine.directory.read());
  const decided = decideSteps(engine, directory, by, { changes, refusals });
  const writes = decided.map(({ write }) => write);
  refuseToken(directory, by, writes);
  try {
    if (decided.some(({ gives }) => gives) || takesTooMuch(engine, directory, by, writes))
      refuseAlone(engine, directory, by, null);
  } catch (error) {
    if (!needsSecond(error)) throw error;
  }
}

type Refusals = ReadonlyMap<DirectoryStep, InCommit>;

/** Refuses to remove what a policy in force names; and what refuses it in the commit. */
async function refusalsOf(engine: DeclaringEngine, changes: readonly DirectoryStep[]): Promise<Refusals> {
  const refusals = new Map<DirectoryStep, InCommit>();
  for (const step of changes) {
    if (step.change === 'delete-group') refusals.set(step, await assertGroupNotNamed(engine, step.group));
    if (step.change === 'remove-role') refusals.set(step, await assertRoleNotNamed(engine, step.role));
  }
  return refusals;
}

/** Each step as it is decided on the directory after those before it, and who can no longer vote then. */
function decideSteps(
  engine: DeclaringEngine,
  directory: JudgedDirectory,
  by: Administrator,
  { changes, refusals }: { changes: readonly DirectoryStep[]; refusals: Refusals },
): (DecidedChange & { gives: boolean; loseVotes: UserId[] })[] {
  const draft = draftOf(directory);
  return changes.flatMap((step) => {
    const decided = decideStep(engine, draft, by, step);
    if (!decided) return [];
    const also = refusals.get(step);
    const gives = givesPower(decided.write, draft);
    const loseVotes = losingVotes(draft, step);
    writeDraft(draft, decided.write, engine.now());
    return [{ ...decided, gives, loseVotes, ...(also && { also }) }];
  });
}

const losesVotes = ({ disabled, role }: PersonSettings, { roles }: DirectoryDraft): boolean =>
  disabled === true || (role !== undefined && !may(holderOf(role, roles), 'decide'));

/** The people who can no longer vote after this step. */
function losingVotes(draft: DirectoryDraft, step: DirectoryStep): UserId[] {
  if (step.change === 'change-person') return losesVotes(step.to, draft) ? [idOf(draft, step.person)] : [];
  if (step.change !== 'change-role') return [];
  return votersLostBy(draft, { id: roleId(draft, step.role), permissions: step.to }).map(({ id }) => id);
}

function decideStep(
  engine: DeclaringEngine,
  draft: DirectoryDraft,
  by: Administrator,
  step: DirectoryStep,
): DecidedChange | null {
  switch (step.change) {
    case 'add-group':
      return newGroupChange(draft, newId('group'), { name: step.group, description: step.description });
    case 'change-group':
      return groupChange(draft, groupId(draft, step.group), { description: step.to });
    case 'delete-group':
      return deletedGroupChange(draft, { id: groupId(draft, step.group), name: step.group });
    case 'add-role': {
      const { role: name, permissions } = step;
      return newRoleChange(draft, { id: newId('role'), at: engine.now() }, { name, permissions });
    }
    case 'change-role':
      return roleChange(draft, { id: roleId(draft, step.role), permissions: step.to });
    case 'remove-role':
      return removedRoleChange(draft, roleId(draft, step.role));
    case 'add-person': {
      const groups = step.groups.map((group) => groupId(draft, group));
      const managerId = step.manager && idOf(draft, step.manager);
      return newUserChange(
        draft,
        by,
        newUser({ email: step.email, name: step.name, role: step.role }),
        { managerId, groups },
        { passwordHash: null },
      );
    }
    case 'change-person':
      return userChange(engine, draft, by, {
        id: idOf(draft, step.person),
        changes: changesIn(draft, step.to),
        at: engine.now(),
      });
    case 'change-members': {
      const ids = (refs: PersonRef[]) => refs.map((ref) => idOf(draft, ref));
      return membersChange(draft, by, groupId(draft, step.group), { add: ids(step.add), remove: ids(step.remove) });
    }
    case 'set-confirmation': {
      const owners = step.to.owners.map((ref) => idOf(draft, ref));
      return confirmationChange(draft, { id: groupId(draft, step.group), days: step.to.days, owners }, engine.now());
    }
    case 'add-server': {
      if (draft.servers.some(({ name }) => name === step.server)) throw new Problem('already-exists');
      const server = { id: newId('server'), name: step.server };
      return { write: { type: 'new-server', server }, event: { type: 'server.added', server: server.id } };
    }
    case 'set-owner': {
      const server = draft.servers.find(({ name }) => name === step.server);
      if (!server) throw outdatedChange();
      return ownerChange(draft, by, server.id, step.to && idOf(draft, step.to));
    }
  }
}

const changesIn = (draft: DirectoryDraft, { manager, ...rest }: PersonSettings): UserChanges => ({
  ...rest,
  ...(manager !== undefined && { managerId: manager && idOf(draft, manager) }),
});

/** The person whom people agreed on, though another one may have the address by now. */
function idOf({ users }: DirectoryRecord, { id, email }: PersonRef): UserId {
  const user = users.find((user) => user.email === email);
  if (!user || (id !== undefined && user.id !== id)) throw outdatedChange();
  return user.id;
}

const roleId = ({ roles }: DirectoryRecord, name: string): RoleId => named(roles, name).id;
const groupId = ({ groups }: DirectoryRecord, name: string): GroupId => named(groups, name).id;

function named<T extends { name: string }>(records: readonly T[], name: string): T {
  const record = records.find((each) => each.name === name);
  if (!record) throw outdatedChange();
  return record;
}

/** The changes as they would be made now; problem `not-now` for one that can no longer be made. */
export function refreshSteps(directory: DirectoryRecord, steps: readonly DirectoryStep[]): DirectoryStep[] {
  const userById = new Map(directory.users.map((user) => [user.id, user]));
  const groups = new Map(directory.groups.map((group) => [group.name, group]));
  const servers = new Map(directory.servers.map((server) => [server.name, server]));
  return steps.map((step): DirectoryStep => {
    switch (step.change) {
      case 'change-person': {
        const user = step.person.id === undefined ? undefined : userById.get(step.person.id);
        const now = settingsOf(user, userById);
        const from = Object.fromEntries(Object.keys(step.to).map((key) => [key, now[key as keyof PersonSettings]]));
        return { ...step, person: user ? refOf(user) : step.person, from };
      }
      case 'change-members': {
        const members = new Set(groups.get(step.group)?.members);
        const isMember = ({ id }: PersonRef): boolean => id !== undefined && members.has(id);
        return { ...step, add: step.add.filter((ref) => !isMember(ref)), remove: step.remove.filter(isMember) };
      }
      case 'change-role': {
        const from = directory.roles.find(({ name }) => name === step.role)?.permissions ?? [];
        return { ...step, from: [...from], people: peopleWith(directory, step.role).map(refOf) };
      }
      case 'change-group':
        return { ...step, from: groups.get(step.group)?.description ?? '' };
      case 'set-confirmation':
        return { ...step, from: confirmationOf(groups.get(step.group), userById) };
      case 'set-owner': {
        const owner = userById.get(servers.get(step.server)?.ownerId as UserId) as UserRecord | undefined;
        return { ...step, from: owner ? refOf(owner) : null };
      }
      default:
        return step;
    }
  });
}
