import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { hashSecret, newOneTimeSecret, newId } from '#platform/crypto/random';
import { type PasswordOwner, checkPasswordStrength, hashPassword, verifyPassword } from './rules/passwords.ts';
import type { UserId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import type { RemovedFactor } from '../factors/store/second-factors.ts';
import type { StoredLink } from '#people/users/store/access';
import {
  changeDirectory,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
  userIn,
  assertNotOwnLink,
} from '#people/directory/verbs/directory';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  startByLink,
  type SignedInSession,
  type SignInPlace,
  confirmSession,
  startSession,
  type SignInEngine,
  guardFreshFactor,
} from '../sign-in/verbs/sessions.ts';
import type { User, SignedInUser } from '#people/directory/contract/user';
import { hashOfName } from '#audit/entries/verbs';
import { deviceOf } from '../sign-in/rules.ts';
import { lookupHash } from '#platform/crypto/key-ring';
import type { BudgetLimits } from '../sign-in/store/budgets.ts';
import { withinBudget } from '../sign-in/verbs/budget.ts';

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

/** A password proves one factor of the person's own. */
export const byPassword = { method: 'password', assurance: 'single-factor' } as const;

/** An address that no one has stands in the log only as its keyed hash. */
type PasswordEngine = ConfirmingEngine & Pick<Engine, 'ring'>;
type ConfirmingEngine = SignInEngine & PasswordRule;

/** Starts a session; an unknown address and a wrong password get the same answer in the same time. */
export async function signInWithPassword(
  engine: PasswordEngine,
  email: string,
  password: string,
  place?: SignInPlace,
): Promise<SignedInSession> {
  const account = await engine.users.byEmail(email);
  if (!(await verifyPassword(account?.passwordHash ?? null, password)) || !account)
    throw wrongSignIn(account?.user.id ?? hashOfName(engine.ring, 'email', email.toLowerCase()));
  await assertPasswordAllowed(engine, account.user.id); // only who has the password learns of the rule
  const session = await startSession(engine, account.user, byPassword, {
    passwordHash: account.passwordHash ?? undefined,
    place,
  });
  if (!session) throw wrongSignIn(account.user.id);
  return session;
}

const wrongSignIn = (name: string): Problem =>
  new Problem('unauthenticated', { refusal: { code: 'wrong-password' }, about: [name] });

/** Proves the password again in an existing session, which goes by another secret from then on; INVALID_INPUT if it is wrong. */
export async function confirmPassword(
  engine: ConfirmingEngine,
  user: User,
  secret: string,
  password: string,
): Promise<SignedInSession> {
  const account = await engine.users.byEmail(user.email);
  if (!(await verifyPassword(account?.passwordHash ?? null, password))) {
    throw invalidInput(['password'], 'Try again: this is not your password.');
  }
  await assertPasswordAllowed(engine, user.id);
  return confirmSession(engine, user, hashSecret(secret), byPassword);
}

/**
 * Wrong passwords of one person, from anywhere and at any node: ten are free, then each makes the next attempt wait
 * longer, up to five seconds. So 130 can be tried in ten minutes, and no one can be shut out by others.
 */
const budget: Omit<BudgetLimits, 'now'> = { free: 10, maxDelayMs: 5_000, memoryMs: 600_000 };

interface Attempt {
  email: string;
  /** The browser's memory of earlier sign-ins; see `rememberAccount`. */
  knownDevice: string | undefined;
}

/**
 * Makes an attempt to sign in with a password, if the person's budget allows one now; `rate-limited` says when the next
 * may be made. A browser in which they have signed in before has a budget of its own, which strangers cannot use up.
 * Sessions and links go on in any case.
 */
export async function guardSignIn<T>(
  engine: Pick<Engine, 'users' | 'ring' | 'now'>,
  { email, knownDevice }: Attempt,
  signIn: () => Promise<T>,
): Promise<T> {
  const account = accountOf(email);
  const key = lookupHash(engine.ring, 'signIn', account, deviceOf(engine.ring, account, knownDevice) ?? '');
  const isWrong = (error: unknown): boolean => error instanceof Problem && error.code === 'unauthenticated';
  return withinBudget(engine, key, budget, { attempt: signIn, isWrong });
}

/**
 * The same for someone who is signed in and proves their password again, at `field`, in whichever of their sessions: who has one of
 * them guesses no faster than who has none. A sign-in has its own budget, so no session slows it down.
 */
export const guardOwnPassword = <T>(
  engine: Pick<Engine, 'users' | 'ring' | 'now'>,
  { user, field }: { user: UserId; field: 'password' | 'current' },
  prove: () => Promise<T>,
): Promise<T> =>
  withinBudget(engine, lookupHash(engine.ring, 'signIn', 'own-password', user), budget, {
    attempt: prove,
    isWrong: (error) => error instanceof Problem && error.errors[0]?.path.join('.') === field,
  });

/** One form for every spelling of an address. */
export const accountOf = (email: string): string => email.normalize('NFC').toLowerCase();

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

/** Whether people may use a password, and who has a provider. */
export type PasswordRule = Pick<Engine, 'passwords' | 'providers' | 'federation'>;

/** Problem `forbidden` for people who have an identity provider, where passwords are for emergency accounts. */
export async function assertPasswordAllowed(
  { passwords, providers, federation }: PasswordRule,
  user: UserId,
): Promise<void> {
  if (passwords === 'allowed') return;
  const issuers = new Set((await federation.identitiesOf(user)).map(({ issuer }) => issuer));
  const provider = providers.find(({ settings }) => issuers.has(settings.issuer))?.settings.name;
  if (provider !== undefined)
    throw new Problem('forbidden', {
      detail: `Sign in with ${provider}: passwords are for people without a provider.`,
    });
}
