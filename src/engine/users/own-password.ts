import { auditEntry } from '../../audit/entry.ts';
import { hashSecret } from '../../crypto/one-time-secret.ts';
import { verifyPassword } from '../../crypto/passwords/password.ts';
import { newId } from '../../crypto/random.ts';
import { invalidInput, Problem } from '../../model/problem.ts';
import type { User } from '../../model/user.ts';
import type { Engine } from '../engine.ts';

/**
 * Sets another password, by its hash, for a person who proves the current one, and ends their links, devices and all
 * sessions but this one. Who once made their link stays on record, for that person may have set the current one.
 * Problem `INVALID_INPUT` at `current` if it is wrong.
 */
export async function changePassword(
  { users, now }: Pick<Engine, 'users' | 'now'>,
  user: User,
  { secret, current, passwordHash }: { secret: string; current: string; passwordHash: string },
): Promise<void> {
  const before = (await users.byEmail(user.email))?.passwordHash ?? null;
  if (!(await verifyPassword(before, current))) throw wrongPassword();
  const at = now();
  const event = { type: 'user.password-changed', user: user.id } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const change = { userId: user.id, keep: hashSecret(secret), before: before ?? '', passwordHash, at };
  if (!(await users.changePassword(change, entry))) throw wrongPassword();
}

const wrongPassword = (): Problem => invalidInput(['current'], 'Try again: this is not your password.');
