import { auditEntry } from '#audit/entries/rules/entry';
import { newAdminToken, readAdminToken } from '../rules.ts';
import { equalBytes, newId } from '#platform/crypto/random';
import type { UserId } from '#platform/model/id';
import { networkRule } from '#platform/model/names';
import { isForTokens, may, tokenPermissions } from '#people/directory/contract/permission';
import { Problem, type FieldError } from '#platform/model/problem';
import type { Alone, User } from '#people/directory/contract/user';
import type { StoredAdminToken } from '../store.ts';
import { assertMay } from '#people/directory/verbs/may';
import type { Engine } from '#platform/nodes/verbs/engine';
import { isNetwork, isWithin } from '#platform/nodes/verbs/networks';
import { actorOf, guardPower, issuerOf, type Administrator, type TokenCaller } from '#people/directory/verbs/directory';
import type { AdminTokenEntry } from '../contract.ts';

type TokenEngine = Pick<Engine, 'adminTokens' | 'directory' | 'now' | 'environment'>;

/** Milliseconds until a token expires, unless someone chooses otherwise, and at most. */
export const defaultTokenLife = 90 * 86_400_000;
const maxTokenLifeMs = 365 * 86_400_000;

/** A token that was made and opens nothing yet. */
export interface NewAdminToken extends TokenTerms {
  kid: string;
  /** SHA-256 of the token, in hex. */
  hash: string;
  /** Issuer of the credential with which its maker is signed in: they may know the token as well. */
  issuerId: UserId | null;
}

type TokenTerms = Pick<AdminTokenEntry, 'name' | 'permissions' | 'networks' | 'expiresAt'>;

/** A new token. It is to be shown once; only its hash is stored. */
export function prepareToken(by: User, terms: TokenTerms): { token: string; record: NewAdminToken } {
  const { key: token, kid, hash } = newAdminToken();
  return { token, record: { ...terms, kid, hash: hash.toString('hex'), issuerId: by.credentialIssuer ?? null } };
}

/** Makes a new token valid. What it does later needs a second administrator just as what its maker does. */
export async function createToken(
  engine: TokenEngine,
  by: Administrator,
  { kid, hash, issuerId, ...terms }: NewAdminToken,
): Promise<{ alone: Alone | null }> {
  const now = engine.now();
  const errors = faultsOf(terms, now);
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
  const { also, alone } = guardPower(engine, by, 'change-directory');
  const maker = issuerOf(by);
  if (maker === null) throw new Problem('forbidden', { refusal: { code: 'administrators-only' } });
  const { name, expiresAt } = terms;
  const [permissions, networks] = [[...terms.permissions], [...terms.networks]];
  const event = { type: 'admin-token.created', token: kid, name, maker, permissions, networks, expiresAt } as const;
  await engine.adminTokens.add(
    { kid, name, permissions, networks, expiresAt, makerId: maker, issuerId, createdAt: now },
    Buffer.from(hash, 'hex'),
    auditEntry(newId('entry'), now, actorOf(by), event),
    also,
  );
  return { alone: alone() };
}

const faultsOf = ({ permissions, networks, expiresAt }: TokenTerms, now: number): FieldError[] => [
  ...(permissions.length > 0 && permissions.every((permission) => isForTokens(permission))
    ? []
    : [{ path: ['permissions'], message: `Choose from ${tokenPermissions.join(', ')}.` }]),
  ...(networks.every(isNetwork) ? [] : [{ path: ['networks'], message: networkRule }]),
  ...(now < expiresAt && expiresAt <= now + maxTokenLifeMs
    ? []
    : [{ path: ['expiresAt'], message: 'Choose a time that is still to come, within 365 days.' }]),
];

/** Every token that ever existed, with the name of its maker; problem `forbidden` for anyone but administrators. */
export async function listTokens({ adminTokens, directory }: TokenEngine, by: Administrator) {
  assertMay(by, 'change-directory');
  const [tokens, { users }] = await Promise.all([adminTokens.list(), directory.read()]);
  const makers = new Map(users.map(({ id, name, disabledAt }) => [id, { id, name, disabled: disabledAt !== null }]));
  return tokens.map(({ makerId, issuerId: _issuer, ...token }) => ({ ...token, maker: makers.get(makerId) ?? null }));
}

/** Revokes a token at every node at once. Revoking it again changes nothing. One administrator is enough. */
export async function revokeToken(engine: TokenEngine, by: Administrator, kid: string): Promise<void> {
  assertMay(by, 'change-directory');
  const token = (await engine.adminTokens.list()).find((candidate) => candidate.kid === kid);
  if (!token) throw new Problem('not-found', { detail: 'Give the id of an existing token.' });
  const at = engine.now();
  const event = { type: 'admin-token.revoked', token: kid, name: token.name } as const;
  await engine.adminTokens.revoke(kid, at, auditEntry(newId('entry'), at, actorOf(by), event));
}

/** Milliseconds between two records of a token's use. */
const touchAfter = 60_000;

/**
 * The program of this token; null if it is no token, was revoked, has expired, comes from elsewhere, or its maker is
 * disabled.
 */
export async function findTokenCaller(
  { adminTokens, directory, now }: TokenEngine,
  text: string,
  address: string | undefined,
): Promise<TokenCaller | null> {
  const read = readAdminToken(text);
  const token = read && (await adminTokens.byKid(read.kid));
  const at = now();
  if (!token || !equalBytes(token.hash, read.hash) || token.expiresAt <= at || !isNear(token, address)) return null;
  const maker = (await directory.read()).users.find(({ id }) => id === token.makerId);
  if (!maker || maker.disabledAt !== null) return null;
  if ((token.lastUsedAt ?? 0) + touchAfter <= at) await adminTokens.touch(token.kid, at);
  const { id, email, name, role, permissions } = maker;
  return {
    kind: 'token',
    id: token.kid,
    name: token.name,
    permissions: token.permissions.filter((permission) => may(maker, permission)),
    maker: {
      kind: 'user',
      id,
      email,
      name,
      role,
      permissions,
      ...(token.issuerId && { credentialIssuer: token.issuerId }),
    },
    also: adminTokens.unrevoked(token.kid),
  };
}

const isNear = ({ networks }: StoredAdminToken, address: string | undefined): boolean =>
  networks.length === 0 || isWithin(networks, address);

/** For the log: the id of a refused token, if Assentry has made it. */
export async function nameRefusedAdminToken({ adminTokens }: TokenEngine, text: string): Promise<string[]> {
  const kid = readAdminToken(text)?.kid;
  return (await adminTokens.list()).flatMap((token) => (token.kid === kid ? [token.kid] : []));
}
