import type { UserId } from '#platform/model/id';
import type { Role } from '../../../directory/contract/permission.ts';

/** The directory as a file declares it. What is absent stays as it is. */
export interface DeclaredDirectory {
  roles?: readonly { name: string; permissions: readonly string[] }[] | undefined;
  people?: readonly DeclaredPerson[] | undefined;
  groups?: readonly DeclaredGroup[] | undefined;
  servers?: readonly { name: string; owner?: string | null | undefined }[] | undefined;
}

interface DeclaredGroup {
  name: string;
  description?: string | undefined;
  /** Who confirms its members, and how often; null if no one needs to. */
  confirm?: { days: number; owners?: readonly string[] | undefined } | null | undefined;
}

/** People are named by their addresses, groups by their names. */
export interface DeclaredPerson {
  email: string;
  name?: string | undefined;
  role?: Role | undefined;
  manager?: string | null | undefined;
  groups?: readonly string[] | undefined;
  mayBreakGlass?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** A person by their address, and by their id if they are here already: an address may change hands. */
export interface PersonRef {
  id?: UserId;
  email: string;
}

/** Who confirms the members of a group, and how often; null if no one needs to. */
export interface DeclaredConfirmation {
  days: number | null;
  owners: PersonRef[];
}

export interface PersonSettings {
  name?: string;
  role?: Role;
  manager?: PersonRef | null;
  mayBreakGlass?: boolean;
  disabled?: boolean;
}

/** One difference between the directory and a file, as people read it before they accept it. */
export type DirectoryStep =
  | { change: 'add-group'; group: string; description: string }
  | { change: 'add-role'; role: string; permissions: string[] }
  | { change: 'change-role'; role: string; from: string[]; to: string[]; people: PersonRef[] }
  | { change: 'remove-role'; role: string }
  | { change: 'change-group'; group: string; from: string; to: string }
  | { change: 'delete-group'; group: string }
  | { change: 'add-person'; email: string; name: string; role: Role; manager: PersonRef | null; groups: string[] }
  | { change: 'change-person'; person: PersonRef; from: PersonSettings; to: PersonSettings }
  | { change: 'change-members'; group: string; add: PersonRef[]; remove: PersonRef[] }
  | { change: 'set-confirmation'; group: string; from: DeclaredConfirmation; to: DeclaredConfirmation }
  | { change: 'add-server'; server: string }
  | { change: 'set-owner'; server: string; from: PersonRef | null; to: PersonRef | null };
