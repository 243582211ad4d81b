import type { SpaceId } from '#platform/model/id';
import { policyPin } from '#policies/contract/policy';
import { Problem } from '#platform/model/problem/problem';
import { parsePolicy } from '#policies/language/rules/parse/parse-policy';
import { namesSource, type NamedSource } from '#policies/deciding/rules/approvers/names-source';
import type { InCommit } from '#platform/database/database/in-commit';
import type { NamedDocument } from '#policies/store/policies';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type PolicyReader = Pick<Engine, 'policies'>;

/** Refuses to remove a group name that a policy in force uses: the policy would ask no one, or not apply. */
export const assertGroupNotNamed = (engine: PolicyReader, group: string): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'group', name: group }, 'group-in-policy');

/** Refuses to remove a role that a policy in force names. */
export const assertRoleNotNamed = (engine: PolicyReader, role: string): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'role', role }, 'role-in-policy');

/** Refuses to give a group, with its members, a name that a policy in force uses. */
export const assertNameNotWanted = (engine: PolicyReader, group: string): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'group', name: group }, 'group-name-in-policy');

/** Refuses to let a space have a group that a policy in force outside of it uses: its people would decide for others. */
export const assertGroupNotNamedElsewhere = (engine: PolicyReader, group: string, space: SpaceId): Promise<InCommit> =>
  assertNoneNames(engine, { kind: 'group', name: group }, 'group-in-policy', ({ spaceId }) => spaceId !== space);

/**
 * Refuses a change because of a policy in force that uses the name, and returns what refuses it in its commit because of one
 * that was published meanwhile. Publishing is decided on the directory as well, so one of the two waits for the other.
 */
async function assertNoneNames(
  { policies }: PolicyReader,
  source: NamedSource,
  code: 'group-in-policy' | 'group-name-in-policy' | 'role-in-policy',
  isMeant: (policy: NamedDocument) => boolean = () => true,
): Promise<InCommit> {
  const refuse = (inForce: NamedDocument[]): void => {
    for (const { name, version, document } of inForce.filter(isMeant)) {
      const parsed = parsePolicy(document);
      if (!parsed.ok || !namesSource(parsed.policy, source)) continue;
      throw new Problem('not-now', { refusal: { code, values: { policy: policyPin(name, version) } } });
    }
  };
  const judged = await policies.inForce();
  refuse(judged);
  const pins = judged.map(({ name, version }) => policyPin(name, version));
  return async (tx) => refuse(await policies.inForceSince(tx, pins));
}
