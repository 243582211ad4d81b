import { auditEntry } from '../../audit/entry.ts';
import { hashSecret, newOneTimeSecret } from '../../crypto/one-time-secret.ts';
import type { PasswordOwner } from '../../crypto/passwords/guessable.ts';
import { checkPasswordStrength, hashPassword } from '../../crypto/passwords/password.ts';
import { newId } from '../../crypto/random.ts';
import type { UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { StoredLink } from '../../store/users/directory.ts';
import { changeDirectory, issuerOf, type Administrator, type DirectoryEngine } from './change-directory.ts';
import { userIn } from './in-directory.ts';
import type { Engine } from '../engine.ts';
import { refuseOwnLink } from './own-power.ts';
import { startByLink } from './sign-in/link/sign-in-link.ts';
import { refusePassword, type PasswordRule } from './sign-in/password/refuse-password.ts';
import type { SignedInSession, SignInPlace } from './sign-in/sessions.ts';

/** A one-time link that sets a password. It is shown once, by the operator's terminal or in a mail to its person. */
export interface PasswordLink {
  address: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export type LinkEngine = DirectoryEngine & Pick<Engine, 'publicUrl'>;

/** Milliseconds: long enough for a weekend. */
const passwordLinkLife = 3 * 86_400_000;

/** The operator's link for someone who has no password or lost it. */
export async function makePasswordLink(engine: LinkEngine, id: UserId): Promise<PasswordLink> {
  const { link, stored } = newPasswordLink(engine);
  await replaceLinks(engine, 'operator', id, stored);
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

/** Stores the link of this person: earlier ones become invalid, and the person is signed out. */
export async function replaceLinks(
  engine: DirectoryEngine,
  by: Administrator,
  id: UserId,
  link: StoredLink,
): Promise<void> {
  await changeDirectory(engine, by, (directory) => {
    const user = userIn(directory, id);
    refuseOwnLink(by, user);
    if (user.disabledAt !== null) throw new Problem('not-now', { refusal: { code: 'person-disabled' } });
    return {
      write: { type: 'password-link', id, at: engine.now(), link },
      event: { type: 'user.link-made', user: id, linkUntil: link.expiresAt },
    };
  });
}

/** Sets the password of the person the link was made for, ends their sessions everywhere and signs them in here. */
export async function setPassword(
  engine: Pick<Engine, 'users' | 'now' | 'sessions'> & PasswordRule,
  { link, password }: { link: string; password: string },
  place?: SignInPlace,
): Promise<SignedInSession> {
  await refuseWeakPassword(password);
  const linkHash = hashSecret(link);
  const user = await engine.users.passwordLink(linkHash, engine.now());
  if (!user) throw new Problem('token-invalid');
  await refusePassword(engine, user.id);
  await refuseWeakPassword(password, user);
  const passwordHash = await hashPassword(password);
  const at = engine.now();
  const event = { type: 'user.password-set', user: user.id } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const isSet = await engine.users.setPassword({ userId: user.id, linkHash, passwordHash, at }, entry);
  if (!isSet) throw new Problem('token-invalid');
  return startByLink(engine, user, place);
}

/** The text to store of a password that is strong enough. Problem INVALID_INPUT at `password`, with what must change. */
export async function newPasswordHash(password: string, owner: PasswordOwner): Promise<string> {
  await refuseWeakPassword(password, owner);
  return hashPassword(password);
}

/** Problem INVALID_INPUT at `password`, with what must change. */
export async function refuseWeakPassword(password: string, owner?: PasswordOwner): Promise<void> {
  const errors = await checkPasswordStrength(password, owner);
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}
