import type { UserId } from '#platform/model/id';
import type { DirectoryRecord, UserRecord } from '../../../directory/store/directory-record/directory-record.ts';
import type { DirectoryStep, PersonRef, PersonSettings } from '../plan/directory-step.ts';
import { peopleWith } from '../../../roles/verbs.ts';
import { confirmationOf, refOf, settingsOf } from '../plan/plan-directory.ts';

/** The same changes as they would be made now; problem `not-now` for what can no longer be made. */
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
