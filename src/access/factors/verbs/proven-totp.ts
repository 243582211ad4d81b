import { openTotp, type TotpSecrets } from '../rules/totp-box.ts';
import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { ActiveTotp } from '../store/second-factors.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** The person's authenticator app with its secrets, or null; problem `unproven` if its row is not what the log says. */
export async function provenTotp(
  { secondFactors, ring }: Pick<Engine, 'secondFactors' | 'ring'>,
  user: UserId,
): Promise<(ActiveTotp & { secrets: TotpSecrets }) | null> {
  const stored = await secondFactors.totpOf(user);
  if (!stored) return null;
  if (!stored.isProven) throw new Problem('unproven', { about: [stored.totp.id] });
  return { ...stored.totp, secrets: openTotp(ring, stored.totp, stored.totp.sealed) };
}
