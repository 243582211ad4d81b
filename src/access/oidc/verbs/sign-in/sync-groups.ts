import type { GroupId, UserId } from '#platform/model/id';
import type { SignInProvider } from '../../contract/identity-provider/sign-in-provider.ts';
import type { GroupRecord } from '#people/directory/store/directory-record/directory-record';
import { changeMembers } from '#people/groups/verbs/change-group';
import { valuesOf } from './add-by-rule.ts';
import type { FederationEngine } from './begin-attempt.ts';

interface Membership {
  user: UserId;
  /** The groups the claim names. */
  named: ReadonlySet<string>;
  /** The groups that the claim governs. */
  mapped: ReadonlySet<string>;
  /** Of the provider. */
  issuer: string;
}

interface GroupChange {
  id: GroupId;
  add: UserId[];
  remove: UserId[];
}

/**
 * What the claim changes: a person that an administrator has put into a group stays there. A group that a provider has made
 * follows its provisioning, and no claim.
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
