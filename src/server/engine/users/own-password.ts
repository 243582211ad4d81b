import { auditEntry } from '#core/audit/entry';
import { hashSecret } from '#core/crypto/one-time-secret';
import { verifyPassword } from '#core/crypto/passwords/password';
import { newId } from '#core/crypto/random';
import { invalidInput, Problem } from '#protocol/model/problem';
import type { SignedInUser } from '#protocol/model/user';
import type { Engine } from '../engine.ts';
import { guardFreshFactor } from './sign-in/assert-strong-sign-in.ts';

/**
 * Sets another password, by its hash, for a person who proves the current one, and ends their links, devices and all
 * sessions but this one. Who once made their link stays on record, for that person may have set the current one.
 * Problem `INVALID_INPUT` at `current` if it is wrong, and `second-factor-needed` if a factor that they have was not proven lately.
 */
export async function changePassword(
  { users, now }: Pick<Engine, 'users' | 'now'>,
  user: SignedInUser,
  { secret, current, passwordHash }: { secret: string; current: string; passwordHash: string },
): Promise<void> {
  const also = guardFreshFactor(user, now());
  const before = (await users.byEmail(user.email))?.passwordHash ?? null;
  if (!(await verifyPassword(before, current))) throw wrongPassword();
  const at = now();
  const event = { type: 'user.password-changed', user: user.id } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const change = { userId: user.id, keep: hashSecret(secret), before: before ?? '', passwordHash, at };
  if (!(await users.changePassword(change, entry, also))) throw wrongPassword();
}

const wrongPassword = (): Problem => invalidInput(['current'], 'Try again: this is not your password.');
