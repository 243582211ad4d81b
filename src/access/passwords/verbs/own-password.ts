import { auditEntry } from '#audit/entries/rules/entry/entry';
import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { verifyPassword } from '../rules/passwords/password.ts';
import { newId } from '#platform/crypto/random/random';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { guardFreshFactor } from '../../sign-in/verbs/sessions/assert-strong-sign-in.ts';

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
