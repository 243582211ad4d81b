import { auditEntry } from '#audit/entries/rules/entry/entry';
import { hashSecret } from '#platform/crypto/random/one-time-secret';
import { newRecoveryCodes } from '../../passwords/rules/recovery/recovery-codes.ts';
import { newId } from '#platform/crypto/random/random';
import { openEnrolment, sealEnrolment, sealTotp } from '../rules/totp-box.ts';
import { keyUri, newTotpSecret, stepOfCode } from '../rules/totp-code.ts';
import { Problem } from '#platform/model/problem/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import { readable } from '#requests/state/verbs/change/readable';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import {
  assertMayAddFactor,
  guardAddingFactor,
  guardStrongSignIn,
} from '../../sign-in/verbs/sessions/assert-strong-sign-in.ts';
import { completeSession, type SignedInSession } from '../../sign-in/verbs/sessions/sessions.ts';
import { wrongCode } from './guard-code.ts';
import { provenTotp } from './proven-totp.ts';

export type TotpEngine = Pick<Engine, 'secondFactors' | 'users' | 'now' | 'ring' | 'sessions'>;

/** Milliseconds in which an enrolment that has begun is confirmed by a code. */
const enrolmentLife = 10 * 60_000;

/** What a person sees of their authenticator app; null if they have none. */
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
