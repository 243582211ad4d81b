import { isIP } from 'node:net';
import type { RelyingParty } from '../../model/passkey.ts';

/** The site of this public address; null if it has no name, for browsers bind passkeys to none. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl);
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? null : { id: hostname, origin };
}
