import type { KeyRing } from '#platform/crypto/key-ring';
import { openCredential, sealCredential, type CredentialPlace } from '../credentials/rules.ts';
import type { Account, ConnectProvider, TokenSet } from '../providers/provider.ts';
import { autoKey } from '../providers/auto.ts';
import type { ExpectedConnection } from '../providers/expects.ts';

/** The sealed content of a connection. */
export interface Kept {
  tokens: TokenSet;
  account: Account;
  /** The server's key alone does not open it: it takes a valid access token of the person as well. */
  byAccessToken?: true | undefined;
  /** The issuer that gave them, if no operator has listed it. */
  issuer?: string | undefined;
}

export const sealKept = (ring: KeyRing, place: CredentialPlace, kept: Kept): Buffer =>
  sealCredential(ring, place, JSON.stringify(kept));

/** Anything but the result of `sealKept` for this place is `sealed-unreadable`. */
export const openKept = (ring: KeyRing, place: CredentialPlace, sealed: Uint8Array): Kept =>
  JSON.parse(openCredential(ring, place, sealed)) as Kept;

/** The key of a connection: its provider and, where its token is for one server alone, that server. */
export const connectionKey = ({ provider, resource }: Pick<ExpectedConnection, 'provider' | 'resource'>): string =>
  resource === undefined ? provider : `${provider} ${resource}`;

/** The parts of the key of a connection. */
export function readConnectionKey(key: string): { provider: string; resource: string | undefined } {
  const [provider = '', resource] = key.split(' ');
  return { provider, resource };
}

/** Milliseconds before its end at which a token is renewed: a request with it may take so long. */
export const renewBefore = 60_000;

export const isDue = ({ refreshToken, expiresAt }: TokenSet, now: number): boolean =>
  refreshToken !== null && expiresAt !== null && expiresAt - renewBefore <= now;

/** Why a server may not expect this of a provider; null if it may. */
export function faultOfUse(
  provider: Pick<ConnectProvider, 'servers' | 'scopes' | 'oauth' | 'isAuto'> | undefined,
  server: string,
  { provider: key, scopes }: Pick<ExpectedConnection, 'provider' | 'scopes'>,
): string | null {
  const at = `"${provider?.isAuto ? autoKey : key}" in ASSENTRY_PROVIDERS`;
  if (!provider?.oauth) return `Ask an operator to set up ${at}.`;
  if (!provider.servers.includes(server)) return `Ask an operator to add "${server}" to the "servers" of ${at}.`;
  const isChecked = provider.isAuto === true && key !== autoKey; // when it was asked for; the rest is what the server offers
  const missing = isChecked ? [] : scopes.filter((scope) => !provider.scopes.includes(scope));
  return missing.length === 0 ? null : `Ask an operator to add ${missing.join(', ')} to the "scopes" of ${at}.`;
}
