import type { SpaceId } from '#protocol/model/id';
import { policyPin } from '#protocol/model/policy';
import { Problem } from '#protocol/model/problem';
import { parsePolicy } from '#core/policy/parsing/parse-policy';
import type { ApproverSource } from '#core/policy/terms/policy-document';
import type { Engine } from '../engine.ts';

type PolicyReader = Pick<Engine, 'policies'>;

/** Refuses to remove a group name that a policy in force uses: the policy would ask no one, or not apply. */
export async function refuseNamedGroup(engine: PolicyReader, group: string): Promise<void> {
  const policy = await policyNaming(engine, { kind: 'group', name: group });
  if (policy) throw new Problem('not-now', { refusal: { code: 'group-in-policy', values: { policy } } });
}

/** Refuses to remove a role that a policy in force names. */
export async function refuseNamedRole(engine: PolicyReader, role: string): Promise<void> {
  const policy = await policyNaming(engine, { kind: 'role', role });
  if (policy) throw new Problem('not-now', { refusal: { code: 'role-in-policy', values: { policy } } });
}

/** Refuses to give a group, with its members, a name that a policy in force uses. */
export async function refuseWantedName(engine: PolicyReader, group: string): Promise<void> {
  const policy = await policyNaming(engine, { kind: 'group', name: group });
  if (policy) throw new Problem('not-now', { refusal: { code: 'group-name-in-policy', values: { policy } } });
}

/** Refuses to let a space have a group that a policy in force outside of it uses: its people would decide for others. */
export async function refuseGroupNamedElsewhere(engine: PolicyReader, group: string, space: SpaceId): Promise<void> {
  const policy = await policyNaming(engine, { kind: 'group', name: group }, ({ spaceId }) => spaceId !== space);
  if (policy) throw new Problem('not-now', { refusal: { code: 'group-in-policy', values: { policy } } });
}

type NamedSource = Extract<ApproverSource, { kind: 'group' | 'role' }>;

/** The first policy that uses the name, by name and version; null if none does. */
async function policyNaming(
  { policies }: PolicyReader,
  source: NamedSource,
  isMeant: (policy: { spaceId: SpaceId | null }) => boolean = () => true,
): Promise<string | null> {
  for (const { name, version, document } of (await policies.inForce()).filter(isMeant)) {
    const parsed = parsePolicy(document);
    if (parsed.ok && names(parsed.policy, source)) return policyPin(name, version);
  }
  return null;
}

/**
 * Groups or roles of approvers in stages, escalations and freeze windows, and texts in CEL or in fields that could be CEL.
 */
function names(value: unknown, source: NamedSource): boolean {
  const name = source.kind === 'group' ? source.name : source.role;
  if (typeof value === 'string') return value.includes(`"${name}"`) || value.includes(`'${name}'`);
  if (typeof value !== 'object' || value === null) return false;
  const key = source.kind === 'group' ? 'name' : 'role';
  if ('kind' in value && value.kind === source.kind && Reflect.get(value, key) === name) return true;
  return Object.values(value).some((part) => names(part, source));
}
