import { isIP } from 'node:net';
import type { RelyingParty } from '../contract/types.ts';

/**
 * The site of this public address; null if it has no name, for browsers bind passkeys to none. This machine has one:
 * people reach it as localhost as well.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl);
  if (ownAddresses.has(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin } = url;
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? { id: hostname, origin } : null;
}

const ownAddresses = new Set(['127.0.0.1', '[::1]']);
