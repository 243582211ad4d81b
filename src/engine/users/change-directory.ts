import { auditEntry, type Actor, type AuditEvent } from '../../audit/entry.ts';
import { newId } from '../../crypto/random.ts';
import type { UserId } from '../../model/id.ts';
import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { DirectoryRecord, DirectoryWrite } from '../../store/users/directory.ts';
import type { Engine } from '../engine.ts';

/** Who may change people and policies: a signed-in administrator, or the operator of the installation. */
export type Administrator = User | 'operator';

export type DirectoryEngine = Pick<Engine, 'directory' | 'now'>;

export const actorOf = (by: Administrator): Actor =>
  by === 'operator' ? { kind: 'operator' } : { kind: 'user', id: by.id };

/** The issuer of a credential they make; null for the operator. */
export const issuerOf = (by: Administrator): UserId | null => (by === 'operator' ? null : by.id);

/** Problem `forbidden` for everyone else. */
export function refuseOthers(by: Administrator): void {
  if (by !== 'operator' && by.role !== 'admin')
    throw new Problem('forbidden', { refusal: { code: 'administrators-only' } });
}

/**
 * The one door for changes of people, groups and owners: decided on the current directory, stored with its audit entry.
 */
export async function changeDirectory(
  { directory, now }: DirectoryEngine,
  by: Administrator,
  decide: (directory: DirectoryRecord) => { write: DirectoryWrite; event: AuditEvent } | null,
): Promise<void> {
  refuseOthers(by);
  await directory.change((current) => {
    if (by !== 'operator' && !isAdministrator(current, by)) throw new Problem('forbidden');
    const change = decide(current);
    return change && { write: change.write, entry: auditEntry(newId('entry'), now(), actorOf(by), change.event) };
  });
}

/** They may have been demoted since they signed in. */
const isAdministrator = ({ users }: DirectoryRecord, { id }: User): boolean =>
  users.some((one) => one.id === id && one.role === 'admin' && one.disabledAt === null);
