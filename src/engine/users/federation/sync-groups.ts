import type { GroupId, UserId } from '../../../model/id.ts';
import type { SignInProvider } from '../../../model/sign-in-provider.ts';
import type { GroupRecord } from '../../../store/users/directory-record.ts';
import { changeMembers } from '../change-group.ts';
import { valuesOf } from './add-by-rule.ts';
import type { FederationEngine } from './begin-attempt.ts';

interface Membership {
  user: UserId;
  /** The groups the claim names. */
  named: ReadonlySet<string>;
  /** The groups that the claim governs. */
  mapped: ReadonlySet<string>;
  /** Those of which an earlier claim made the person a member. */
  sourced: readonly GroupId[];
}

interface GroupChange {
  id: GroupId;
  add: UserId[];
  remove: UserId[];
}

/** What the claim changes: a person that an administrator has put into a group stays there. */
export function groupChanges(
  groups: readonly GroupRecord[],
  { user, named, mapped, sourced }: Membership,
): GroupChange[] {
  return groups
    .filter(({ name }) => mapped.has(name))
    .flatMap(({ id, name, members }): GroupChange[] => {
      const isMember = members.includes(user);
      if (named.has(name) && !isMember) return [{ id, add: [user], remove: [] }];
      return !named.has(name) && isMember && sourced.includes(id) ? [{ id, add: [], remove: [user] }] : [];
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
  const [{ groups }, sourced] = await Promise.all([
    engine.directory.read(),
    engine.federation.sourcedGroups(user, issuer),
  ]);
  for (const { id, ...change } of groupChanges(groups, { user, named, mapped, sourced }))
    await changeMembers(engine, { kind: 'provider', issuer }, id, change);
}
