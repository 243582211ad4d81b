import type { Edit } from './edit-policy.ts';
import type { PolicyParts, RulePart } from '../policy-parts.ts';

/** Names of this installation, offered in fields that take one. */
export interface KnownNames {
  groups: string[];
  users: string[];
  servers: string[];
}

export interface FormProps {
  names: KnownNames;
  edit: (...edits: Edit[]) => void;
}

export type PartProps = FormProps & { parts: PolicyParts };
export type RuleProps = FormProps & { rule: RulePart };
