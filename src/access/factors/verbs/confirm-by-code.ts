import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { placeOfCode } from '../../passwords/rules/recovery/recovery-codes.ts';
import { stepOfCode, totpDigits } from '../rules/totp-code.ts';
import type { SecondFactor } from '../../sign-in/contract/authentication/authentication.ts';
import { Problem } from '#platform/model/problem/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import type { ActiveTotp } from '../store/second-factors.ts';
import type { TotpSecrets } from '../rules/totp-box.ts';
import { completeSession, type SignedInSession } from '../../sign-in/verbs/sessions/sessions.ts';
import { guardCode } from './guard-code.ts';
import type { TotpEngine } from './manage-totp.ts';
import { provenTotp } from './proven-totp.ts';

/**
 * Proves, by a code of the person's authenticator app or by a recovery code, a second factor in a session that began with
 * another one. Each code counts once, at any node.
 */
export async function confirmByCode(
  engine: TotpEngine,
  user: SignedInUser,
  session: string,
  code: string,
): Promise<SignedInSession> {
  if (user.authentication.assurance === 'none') throw new Problem('fresh-sign-in-needed');
  const own = await provenTotp(engine, user.id);
  if (!own) throw new Problem('not-now', { detail: 'Use your passkey: you have no authenticator app.' });
  const factor = await guardCode(engine, user.id, () => useCode(engine, own, code.trim()));
  return completeSession(engine, user, hashSecret(session), { factor, totp: own.id });
}

async function useCode(
  { secondFactors, now }: TotpEngine,
  totp: ActiveTotp & { secrets: TotpSecrets },
  code: string,
): Promise<SecondFactor | null> {
  const { secret, recovery } = totp.secrets;
  const digits = code.replaceAll(/\s/g, '');
  if (digits.length === totpDigits && /^\d+$/.test(digits)) {
    const step = await stepOfCode(secret, digits, now());
    return step !== null && (await secondFactors.useStep(totp.id, step)) ? 'totp' : null;
  }
  const place = await placeOfCode(recovery, code);
  return place !== null && (await secondFactors.useRecoveryCode(totp, place)) ? 'recovery-code' : null;
}
