import { auditEntry } from '../../audit/entry.ts';
import { hashSecret, newOneTimeSecret } from '../../crypto/one-time-secret.ts';
import { checkPasswordStrength, hashPassword } from '../../crypto/passwords/password.ts';
import { newId } from '../../crypto/random.ts';
import type { UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { StoredLink } from '../../store/users/directory.ts';
import { changeDirectory, issuerOf, type Administrator, type DirectoryEngine } from './change-directory.ts';
import { userIn } from './in-directory.ts';
import type { Engine } from '../engine.ts';
import { refuseOwnLink } from './own-power.ts';
import { startSession, type SignedInSession, type SignInPlace } from './sign-in.ts';

/** A one-time link that sets a password. It is shown once, to who made it, and stored nowhere. */
export interface PasswordLink {
  address: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export type LinkEngine = DirectoryEngine & Pick<Engine, 'publicUrl' | 'environment'>;

/** Is a link shown to an administrator of the console? In production only the operator's terminal shows one. */
export const showsLinks = ({ environment }: Pick<Engine, 'environment'>): boolean => environment !== 'production';

/** Milliseconds: long enough for a weekend. */
const passwordLinkLife = 3 * 86_400_000;

/** A new link, with its stored form. */
export function newPasswordLink(
  { now, publicUrl }: LinkEngine,
  by: Administrator,
): { link: PasswordLink; stored: StoredLink } {
  const { secret, hash } = newOneTimeSecret();
  const expiresAt = now() + passwordLinkLife;
  return {
    link: { address: `${publicUrl()}/password#link=${secret}`, expiresAt },
    stored: { hash, expiresAt, issuerId: issuerOf(by) },
  };
}

/**
 * Makes a link for someone who has no password or lost it: earlier links become invalid, and the person is signed out.
 */
export async function makePasswordLink(engine: LinkEngine, by: Administrator, id: UserId): Promise<PasswordLink> {
  const { link, stored } = newPasswordLink(engine, by);
  await changeDirectory(engine, by, (directory) => {
    const user = userIn(directory, id);
    refuseOwnLink(by, user);
    refuseLinkInConsole(engine, by, user);
    if (user.disabledAt !== null) throw new Problem('not-now', { refusal: { code: 'person-disabled' } });
    return {
      write: { type: 'password-link', id, at: engine.now(), link: stored },
      event: { type: 'user.link-made', user: id, linkUntil: stored.expiresAt },
    };
  });
  return link;
}

/** An administrator who read the link could be the person it is for. */
function refuseLinkInConsole(engine: LinkEngine, by: Administrator, { email }: { email: string }): void {
  if (by === 'operator' || showsLinks(engine)) return;
  throw new Problem('forbidden', {
    refusal: { code: 'link-from-operator', values: { command: `user link ${email}` } },
  });
}

/** Sets the password of the person the link was made for, ends their sessions everywhere and signs them in here. */
export async function setPassword(
  engine: Pick<Engine, 'users' | 'now' | 'sessions'>,
  { link, password }: { link: string; password: string },
  place?: SignInPlace,
): Promise<SignedInSession> {
  await refuseWeakPassword(password);
  const linkHash = hashSecret(link);
  const user = await engine.users.passwordLink(linkHash, engine.now());
  if (!user) throw new Problem('token-invalid');
  const passwordHash = await hashPassword(password);
  const at = engine.now();
  const event = { type: 'user.password-set', user: user.id } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const isSet = await engine.users.setPassword({ userId: user.id, linkHash, passwordHash, at }, entry);
  if (!isSet) throw new Problem('token-invalid');
  return startSession(engine, user, 'link', { place });
}

/** The text to store of a password that is strong enough. Problem INVALID_INPUT at `password`, with what must change. */
export async function newPasswordHash(password: string): Promise<string> {
  await refuseWeakPassword(password);
  return hashPassword(password);
}

/** Problem INVALID_INPUT at `password`, with what must change. */
export async function refuseWeakPassword(password: string): Promise<void> {
  const errors = await checkPasswordStrength(password);
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}
