import type { ApproverSource } from '../../contract/clause.ts';
import type { PolicyDocument } from '../../../document/rules/document/policy-document.ts';

export type NamedSource = Extract<ApproverSource, { kind: 'group' | 'role' }>;

/**
 * Does the policy name this group or role: as approvers of stages, escalations and freeze windows, or as a text in CEL or in fields that
 * could be CEL? A condition may fit it by a pattern as well, which this does not find.
 */
export const namesSource = (policy: PolicyDocument, source: NamedSource): boolean => names(policy, source);

function names(value: unknown, source: NamedSource): boolean {
  const name = source.kind === 'group' ? source.name : source.role;
  if (typeof value === 'string') return value.includes(`"${name}"`) || value.includes(`'${name}'`);
  if (typeof value !== 'object' || value === null) return false;
  const key = source.kind === 'group' ? 'name' : 'role';
  if ('kind' in value && value.kind === source.kind && Reflect.get(value, key) === name) return true;
  return Object.values(value).some((part) => names(part, source));
}
