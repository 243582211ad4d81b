import { openTotp, type TotpSecrets } from '#core/crypto/totp/totp-box';
import type { UserId } from '#protocol/model/id';
import { Problem } from '#protocol/model/problem';
import type { ActiveTotp } from '../../../../../store/users/second-factors.ts';
import type { Engine } from '../../../../engine.ts';

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
