import type { Edit } from '../text/edit-policy.ts';

/** Names this house has, offered where one is asked for. */
export interface KnownNames {
  groups: string[];
  users: string[];
  servers: string[];
}

export interface FormProps {
  names: KnownNames;
  edit: (...edits: Edit[]) => void;
}
