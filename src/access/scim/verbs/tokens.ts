import { auditEntry } from '#audit/entries/rules/entry';
import { newScimToken, readScimToken } from '../../tokens/rules.ts';
import { equalBytes, newId } from '#platform/crypto/random';
import { invalidInput, Problem } from '#platform/model/problem';
import type { NewPeopleRule, ScimRule } from '../../oidc/contract/identity-provider.ts';
import type { StoredScimToken } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ProviderRule } from '#people/directory/verbs/directory';

/** An identity provider that provisions people and groups, known by its token. */
export interface Provisioner {
  kind: 'provisioner';
  /** The id of the token. */
  id: string;
  /** As which it changes the directory. */
  by: ProviderRule;
  rule: ScimRule;
  newPeople: NewPeopleRule;
}

type TokenEngine = Pick<Engine, 'scimTokens' | 'now'>;

/** A new token for this provider, shown once: only its hash is stored. Only the operator makes one. */
export async function createScimToken(
  { scimTokens, providers, now }: TokenEngine & Pick<Engine, 'providers'>,
  key: string,
): Promise<StoredScimToken & { token: string }> {
  const provider = providers.find(({ settings }) => settings.key === key)?.settings;
  if (!provider) throw wrongProvider(key, 'there is no such provider in ASSENTRY_SIGN_IN_PROVIDERS');
  if (!provider.scim) throw wrongProvider(key, 'its settings have no "scim"');
  const { key: token, kid, hash } = newScimToken();
  const stored = { kid, provider: key, issuer: provider.issuer, createdAt: now() };
  const event = { type: 'scim-token.created', kid, provider: key, issuer: provider.issuer } as const;
  await scimTokens.add(stored, hash, auditEntry(newId('entry'), stored.createdAt, { kind: 'operator' }, event));
  return { ...stored, revokedAt: null, lastUsedAt: null, token };
}

const wrongProvider = (key: string, why: string): Problem =>
  invalidInput(['provider'], `Check the provider ${key}: ${why}.`);

/** Revokes a token at every node at once. Revoking it again changes nothing. */
export async function revokeScimToken({ scimTokens, now }: TokenEngine, kid: string): Promise<StoredScimToken> {
  const token = (await scimTokens.list()).find((candidate) => candidate.kid === kid);
  if (!token) throw new Problem('not-found', { detail: 'Give the id of an existing token.' });
  const at = now();
  const event = { type: 'scim-token.revoked', kid, provider: token.provider, issuer: token.issuer } as const;
  await scimTokens.revoke(kid, at, auditEntry(newId('entry'), at, { kind: 'operator' }, event));
  return { ...token, revokedAt: token.revokedAt ?? at };
}

/** Milliseconds between two records of a token's use. */
const touchAfter = 60_000;

/** The provider of this token; null if it is no token, was revoked, or its provider is no longer set up as it was. */
export async function findProvisioner(
  { scimTokens, providers, now }: TokenEngine & Pick<Engine, 'providers'>,
  text: string,
): Promise<Provisioner | null> {
  const read = readScimToken(text);
  const token = read && (await scimTokens.byKid(read.kid));
  if (!token || !equalBytes(token.hash, read.hash)) return null;
  const settings = providers.find((provider) => provider.settings.key === token.provider)?.settings;
  if (!settings?.scim || !settings.newPeople || settings.issuer !== token.issuer) return null;
  const at = now();
  if ((token.lastUsedAt ?? 0) + touchAfter <= at) await scimTokens.touch(token.kid, at);
  return {
    kind: 'provisioner',
    id: token.kid,
    by: { kind: 'provider', issuer: settings.issuer, also: scimTokens.unrevoked(token.kid) },
    rule: settings.scim,
    newPeople: settings.newPeople,
  };
}

/** For the log: the id of a refused token, if Assentry has made it. */
export async function nameRefusedToken({ scimTokens }: TokenEngine, text: string): Promise<string[]> {
  const kid = readScimToken(text)?.kid;
  return (await scimTokens.list()).flatMap((token) => (token.kid === kid ? [token.kid] : []));
}
