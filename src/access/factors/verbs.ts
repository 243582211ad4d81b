import { hashSecret, newId } from '#platform/crypto/random';
import { placeOfCode, newRecoveryCodes } from '../passwords/rules/recovery.ts';
import {
  stepOfCode,
  totpDigits,
  type TotpSecrets,
  openEnrolment,
  sealEnrolment,
  sealTotp,
  keyUri,
  newTotpSecret,
  openTotp,
} from './rules.ts';
import type { SecondFactor } from '../sign-in/contract/authentication.ts';
import { Problem, invalidInput } from '#platform/model/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import type { ActiveTotp } from './store/second-factors.ts';
import {
  completeSession,
  type SignedInSession,
  assertMayAddFactor,
  guardAddingFactor,
  guardStrongSignIn,
} from '../sign-in/verbs/sessions.ts';
import { auditEntry } from '#audit/entries/rules/entry';
import { readable } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { UserId } from '#platform/model/id';
import { lookupHash } from '#platform/crypto/key-ring';
import type { BudgetLimits } from '../sign-in/store/budgets.ts';
import { withinBudget } from '../sign-in/verbs/budget.ts';

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

type TotpEngine = Pick<Engine, 'secondFactors' | 'users' | 'now' | 'ring' | 'sessions'>;

/** Milliseconds in which an enrolment that has begun is confirmed by a code. */
const enrolmentLife = 10 * 60_000;

/** A person's authenticator app as they see it; null if they have none. */
interface OwnTotp {
  addedAt: number;
  /** How many recovery codes are left. */
  recoveryCodes: number;
}

export async function showTotp(engine: TotpEngine, { id }: SignedInUser): Promise<OwnTotp | null> {
  const own = await provenTotp(engine, id);
  return own && { addedAt: own.addedAt, recoveryCodes: own.secrets.recovery.hashes.length - own.usedCodes.length };
}

/**
 * Begins to add an authenticator app, in a session that was proven lately by every factor that the person has. Nothing is
 * stored before a code confirms it.
 */
export async function beginTotp(engine: TotpEngine, user: SignedInUser, session: string) {
  assertMayAddFactor(user, engine.now());
  if (await engine.secondFactors.totpOf(user.id)) throw hasOne();
  const secret = await newTotpSecret();
  const enrolment = sealEnrolment(engine.ring, session, { secret, expiresAt: engine.now() + enrolmentLife });
  return { secret, uri: await keyUri(secret, user.email), enrolment };
}

/**
 * Adds the app that makes this code, and completes the sign-in with it. It counts for the administrator for whom the
 * session counts: who made the link of a password could have added it.
 */
export async function addTotp(
  engine: TotpEngine,
  user: SignedInUser,
  session: string,
  { enrolment, code }: { enrolment: string; code: string },
): Promise<{ session: SignedInSession; recoveryCodes: string[] }> {
  const also = guardAddingFactor(user, engine.now());
  const begun = readable(() => openEnrolment(engine.ring, session, enrolment));
  if (!begun || begun.expiresAt <= engine.now())
    throw new Problem('not-now', { detail: 'Begin again: this code was shown too long ago, or in another browser.' });
  const lastStep = await stepOfCode(begun.secret, code.replaceAll(/\s/g, ''), engine.now());
  if (lastStep === null) throw wrongCode();
  const { codes, recovery } = await newRecoveryCodes();
  const { id: userId, credentialIssuer: issuedBy = null } = user;
  const [id, addedAt] = [newId('totp'), engine.now()];
  const sealed = sealTotp(engine.ring, { id, userId }, { secret: begun.secret, recovery });
  const totp = { id, userId, issuedBy, addedAt, removedAt: null, sealed, lastStep, usedCodes: [] };
  const event = { type: 'user.totp-added', user: userId, totp: id, ...(issuedBy && { countsFor: issuedBy }) } as const;
  const entry = auditEntry(newId('entry'), addedAt, { kind: 'user', id: userId }, event);
  if (!(await engine.secondFactors.addTotp(totp, entry, also))) throw hasOne();
  const completed = await completeSession(engine, user, hashSecret(session), { factor: 'totp', totp: id });
  return { session: completed, recoveryCodes: codes };
}

/** Removes it and ends the sessions in which its codes counted, but not this one. */
export async function removeTotp(engine: TotpEngine, user: SignedInUser, session: string): Promise<void> {
  const also = guardStrongSignIn(user, engine.now());
  const own = await engine.secondFactors.totpOf(user.id);
  if (!own) throw new Problem('not-found');
  const event = { type: 'user.totp-removed', user: user.id, totp: own.totp.id } as const;
  const entry = auditEntry(newId('entry'), engine.now(), { kind: 'user', id: user.id }, event);
  if (!(await engine.secondFactors.removeTotp(own.totp.id, user.id, hashSecret(session), entry, also)))
    throw new Problem('not-found');
}

/** Ten new recovery codes, shown once; the earlier ones count no more. */
export async function renewRecoveryCodes(engine: TotpEngine, user: SignedInUser): Promise<string[]> {
  const also = guardStrongSignIn(user, engine.now());
  const own = await provenTotp(engine, user.id);
  if (!own) throw new Problem('not-found');
  const { codes, recovery } = await newRecoveryCodes();
  const sealed = sealTotp(engine.ring, own, { ...own.secrets, recovery });
  const event = { type: 'user.recovery-codes-renewed', user: user.id, totp: own.id } as const;
  const entry = auditEntry(newId('entry'), engine.now(), { kind: 'user', id: user.id }, event);
  if (!(await engine.secondFactors.renewRecoveryCodes(own, sealed, entry, also))) throw new Problem('write-conflict');
  return codes;
}

const hasOne = (): Problem =>
  new Problem('not-now', { detail: 'Remove your authenticator app first: you can have one at a time.' });

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

/**
 * Wrong codes of one person, at any node and in any browser: five are free, then each makes the next attempt wait longer,
 * up to five minutes. So within a day someone who has the password can try 300 of a million codes, of which three are right.
 */
const budget: Omit<BudgetLimits, 'now'> = { free: 5, maxDelayMs: 300_000, memoryMs: 86_400_000 };

/** Uses a code if the person's budget allows an attempt now; `rate-limited` says when the next may be made. */
async function guardCode<T>(
  engine: Pick<Engine, 'users' | 'ring' | 'now'>,
  user: UserId,
  useCode: () => Promise<T | null>,
): Promise<T> {
  const key = lookupHash(engine.ring, 'signIn', 'second-factor', user);
  const wrong = wrongCode();
  const attempt = async (): Promise<T> => {
    const used = await useCode();
    if (used === null) throw wrong;
    return used;
  };
  return withinBudget(engine, key, budget, { attempt, isWrong: (error) => error === wrong });
}

export const wrongCode = (): Problem =>
  invalidInput(['code'], 'Wait for the next code, then enter it: this one is wrong, or was used.');
