import { auditEntry, type AuditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import type { UserId, SessionId } from '#platform/model/id';
import { nameAt } from '#platform/model/identity';
import { Problem } from '#platform/model/problem';
import { SignInProblem } from '../../sign-in/contract/problem.ts';
import type { SignedInUser } from '#people/directory/contract/user';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import type { StoredIdentity } from '../store.ts';
import { hashOfName } from '#audit/entries/verbs';
import {
  changeDirectory,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
  userIn,
} from '#people/directory/verbs/directory';
import { assertFreeSubject } from '#people/users/verbs';
import { guardStrongSignIn } from '../../sign-in/verbs/sessions.ts';
import { providerOf, type FederationEngine } from './sign-in.ts';

type Identity = Pick<StoredIdentity, 'issuer' | 'subject'>;

/** Keyed hash of an identity for the log. */
export const identityHash = ({ ring }: Pick<FederationEngine, 'ring'>, identity: Identity): string =>
  hashOfName(ring, 'identity', nameAt(identity));

/**
 * Connects an identity that the person has just proven. It is a name of theirs at MCP clients from then on, so that they
 * never approve what they ask for under it. Who issued the credential of this session may have connected an identity of
 * their own: sign-ins with it count for them as well. `begunAt` is when they were sent to the provider, until when they must
 * have proven every factor that they have by now.
 */
export async function connectIdentity(
  engine: FederationEngine,
  user: SignedInUser,
  identity: Identity,
  begunAt: number,
): Promise<void> {
  const at = engine.now();
  const decide = (directory: DirectoryRecord) => {
    const by = user.credentialIssuer ?? null;
    const { write, event } = orTaken(() => connected(engine, user.id, identity, { directory, by, at }));
    return { write, entry: auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event) };
  };
  await orOutdated(async () => engine.directory.change(decide, guardStrongSignIn(user, begunAt)));
}

/** A session that has ended meanwhile, or in which a factor was not proven that its person has by now, connects nothing. */
async function orOutdated(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (cause) {
    const isOutdated = cause instanceof Problem && ['second-factor-needed', 'unauthenticated'].includes(cause.code);
    throw isOutdated ? new SignInProblem('sign-in-outdated', { cause }) : cause;
  }
}

/** The write that connects an identity, and its entry; problem if it is someone else's name at MCP clients. */
export function connected(
  engine: Pick<FederationEngine, 'ring'>,
  user: UserId,
  { issuer, subject }: Identity,
  { directory, by, at }: { directory: DirectoryRecord; by: UserId | null; at: number },
) {
  const subjects = [...new Set([...userIn(directory, user).subjects, nameAt({ issuer, subject })])];
  assertFreeSubject(directory, user, subjects);
  const add = { issuer, subject, linkedById: by, createdAt: at };
  const identity = identityHash(engine, { issuer, subject });
  return {
    write: { type: 'identity', id: user, add, subjects },
    event: { type: 'user.provider-connected', user, provider: issuer, identity, ...(by && { countsFor: by }) },
  } as const;
}

function orTaken<T>(connect: () => T): T {
  try {
    return connect();
  } catch (cause) {
    throw new SignInProblem('identity-taken', { cause });
  }
}

/**
 * Names who a person is at a provider, as someone who looks after people knows it. It gives power as a credential does: it
 * takes two administrators, or the operator, and counts for the administrator as well.
 */
export async function nameIdentity(
  engine: DirectoryEngine & Pick<FederationEngine, 'federation' | 'ring'>,
  by: Administrator,
  user: UserId,
  identity: Identity,
): Promise<void> {
  if (await engine.federation.identity(identity))
    throw new Problem('already-exists', { detail: 'Check the subject: someone is already connected with it.' });
  const at = engine.now();
  await changeDirectory(engine, by, (directory) =>
    connected(engine, user, identity, { directory, by: issuerOf(by), at }),
  );
}

/** Every provider there is, and whether this person has connected it. */
export async function listOwnProviders(
  { providers, federation }: Pick<FederationEngine, 'providers' | 'federation'>,
  user: SignedInUser,
) {
  const identities = await federation.identitiesOf(user.id);
  return providers.map(({ settings: { key, name, issuer } }) => {
    const identity = identities.find((candidate) => candidate.issuer === issuer);
    return { key, name, connectedAt: identity?.createdAt ?? null, lastUsedAt: identity?.lastUsedAt ?? null };
  });
}

/**
 * Ends sign-ins with the person's identities at this provider, and the sessions that were started with them. The name stays
 * theirs at MCP clients, so that no one comes to approve their own requests by it. Refused for the last way to sign in, and
 * without a fresh proof: where others may not use a password, it lets in who has it.
 */
export async function removeProvider(engine: FederationEngine, key: string, user: SignedInUser): Promise<void> {
  const { issuer: provider } = providerOf(engine, key).settings;
  const also = guardStrongSignIn(user, engine.now());
  const all = await engine.federation.identitiesOf(user.id);
  const removed = all.filter(({ issuer }) => issuer === provider);
  if (removed.length === 0) throw new Problem('not-found');
  const at = engine.now();
  const actor = { kind: 'user', id: user.id } as const;
  await engine.directory.change((directory) => {
    if (!userIn(directory, user.id).hasPassword && removed.length === all.length) throw lastWay();
    return removed.map(({ issuer, subject }) => {
      const identity = identityHash(engine, { issuer, subject });
      const event = { type: 'user.provider-removed', user: user.id, provider, identity } as const;
      return {
        write: { type: 'removed-identity', id: user.id, identity: { issuer, subject } },
        entry: auditEntry(newId('entry'), at, actor, event),
      };
    });
  }, also);
}

const lastWay = (): Problem =>
  new Problem('not-now', { detail: 'Ask for a password first: this is your only way to sign in.' });

/** Ends the sessions that a provider says have ended, once for each notice; problem `token-invalid` for any other text. */
export async function takeLogoutToken(engine: FederationEngine, key: string, token: string): Promise<void> {
  const notice = await providerOf(engine, key).readLogoutToken(token);
  if (!(await engine.federation.endProviderSessions(notice, endedBy(engine, notice.issuer))))
    throw new Problem('token-invalid');
}

/** Takes a logout by the name of the provider's session, which only the provider and its browser have. */
export async function takeFrontLogout(
  engine: FederationEngine,
  key: string,
  { iss, sid }: { iss: string; sid: string },
): Promise<void> {
  const { issuer } = providerOf(engine, key).settings;
  if (iss !== issuer) throw new Problem('token-invalid');
  await engine.federation.endProviderSessions({ issuer, subject: null, sid, once: null }, endedBy(engine, issuer));
}

const endedBy =
  ({ now }: FederationEngine, provider: string) =>
  (user: UserId, sessions: SessionId[]): AuditEntry =>
    auditEntry(newId('entry'), now(), { kind: 'provider', provider }, { type: 'user.sessions-ended', user, sessions });
