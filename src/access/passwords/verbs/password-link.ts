import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry/entry';
import { hashSecret, newOneTimeSecret } from '#platform/crypto/random/one-time-secret';
import type { PasswordOwner } from '../rules/passwords/guessable.ts';
import { checkPasswordStrength, hashPassword } from '../rules/passwords/password.ts';
import { newId } from '#platform/crypto/random/random';
import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { RemovedFactor } from '../../factors/store/second-factors.ts';
import type { StoredLink } from '#people/users/store/access';
import {
  changeDirectory,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
} from '#people/directory/verbs/directory/change-directory';
import { userIn } from '#people/directory/verbs/directory/in-directory';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { assertNotOwnLink } from '#people/directory/verbs/directory/own-power';
import { startByLink } from '../../sign-in/verbs/sessions/sign-in-link.ts';
import { assertPasswordAllowed, type PasswordRule } from './assert-password-allowed.ts';
import type { SignedInSession, SignInPlace } from '../../sign-in/verbs/sessions/sessions.ts';

/** A one-time link that sets a password. It is shown once, by the operator's terminal or in a mail to its person. */
export interface PasswordLink {
  address: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Does using it remove the person's second factors? */
  resetsFactors?: boolean;
}

export type LinkEngine = DirectoryEngine & Pick<Engine, 'publicUrl'>;

/** Milliseconds: long enough for a weekend. */
const passwordLinkLife = 3 * 86_400_000;

/** The operator's link for someone who has no password or lost it, or who also lost their second factor. */
export async function makePasswordLink(
  engine: LinkEngine,
  id: UserId,
  { resetsFactors = false } = {},
): Promise<PasswordLink> {
  const { link, stored } = newPasswordLink(engine);
  await replaceLinks(engine, 'operator', id, { ...stored, resetsFactors });
  return link;
}

/** A link that the operator's terminal shows, with its stored form. */
export function newPasswordLink(engine: LinkEngine): { link: PasswordLink; stored: StoredLink } {
  const { secret, stored } = newStoredLink(engine, 'operator');
  return { link: { address: addressOf(engine, secret), expiresAt: stored.expiresAt }, stored };
}

/** A secret that sets a password, with the stored form of its link. */
export function newStoredLink({ now }: Pick<Engine, 'now'>, by: Administrator): { secret: string; stored: StoredLink } {
  const { secret, hash } = newOneTimeSecret();
  return { secret, stored: { hash, expiresAt: now() + passwordLinkLife, issuerId: issuerOf(by) } };
}

export const addressOf = ({ publicUrl }: Pick<Engine, 'publicUrl'>, secret: string): string =>
  `${publicUrl()}/password#link=${secret}`;

/**
 * Stores the link of this person: earlier ones become invalid, and the person is signed out. What else it removes goes when
 * it is used, and not before: then the password and every factor that follows count for its issuer.
 */
export async function replaceLinks(
  engine: DirectoryEngine,
  by: Administrator,
  id: UserId,
  link: StoredLink,
): Promise<void> {
  await changeDirectory(engine, by, (directory) => {
    const user = userIn(directory, id);
    assertNotOwnLink(directory, by, user);
    if (user.disabledAt !== null) throw new Problem('not-now', { refusal: { code: 'person-disabled' } });
    return {
      write: { type: 'password-link', id, at: engine.now(), link },
      event: {
        type: 'user.link-made',
        user: id,
        linkUntil: link.expiresAt,
        ...(link.resetsFactors && { resetsFactors: true as const }),
      },
    };
  });
}

/** Sets the password of the person the link was made for, ends their sessions everywhere and signs them in here. */
export async function setPassword(
  engine: Pick<Engine, 'users' | 'now' | 'sessions'> & PasswordRule,
  { link, password: chosen }: { link: string; password: string },
  place?: SignInPlace,
): Promise<SignedInSession> {
  await assertStrongPassword(chosen);
  const linkHash = hashSecret(link);
  const user = await engine.users.passwordLink(linkHash, engine.now());
  if (!user) throw new Problem('token-invalid');
  await assertPasswordAllowed(engine, user.id);
  await assertStrongPassword(chosen, user);
  const passwordHash = await hashPassword(chosen);
  const at = engine.now();
  const entryOf = (event: AuditEvent) => auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const password = {
    userId: user.id,
    linkHash,
    passwordHash,
    at,
    entryOf: (removed: RemovedFactor) => entryOf(removalOf(user.id, removed)),
  };
  const isSet = await engine.users.setPassword(password, entryOf({ type: 'user.password-set', user: user.id }));
  if (!isSet) throw new Problem('token-invalid');
  return startByLink(engine, user, place);
}

const removalOf = (user: UserId, removed: RemovedFactor): AuditEvent =>
  'totp' in removed
    ? { type: 'user.totp-removed', user, ...removed }
    : { type: 'user.passkey-removed', user, ...removed };

/** The text to store of a password that is strong enough. Problem INVALID_INPUT at `password`, with what must change. */
export async function newPasswordHash(password: string, owner: PasswordOwner): Promise<string> {
  await assertStrongPassword(password, owner);
  return hashPassword(password);
}

/** Problem INVALID_INPUT at `password`, with what must change. */
export async function assertStrongPassword(password: string, owner?: PasswordOwner): Promise<void> {
  const errors = await checkPasswordStrength(password, owner);
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}
