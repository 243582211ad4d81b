import { sha256Hex } from '#platform/crypto/digest';
import type { KeyRing } from '#platform/crypto/key-ring';
import type { ToolCallId } from '#platform/model/id';
import { openCredential, secretPrefix, sealCredential, type CredentialPlace } from '../credentials/rules.ts';

/** The sealed content of a secret. */
export interface KeptSecret {
  label: string;
  secret: string;
  /** The server's key alone does not open it: it takes a valid access token of the person as well. */
  byAccessToken?: true | undefined;
}

/**
 * Key in the place of a provider. One that is kept for a call alone names the call, and ends with it. No key of a
 * provider has a colon.
 */
export const secretKey = (label: string, call: ToolCallId | null): string =>
  `${secretPrefix}${sha256Hex(label).slice(0, 32)}${call === null ? '' : `:${call}`}`;

/** The call for which alone it is kept; null if its person removes it. */
export function callIn(key: string): ToolCallId | null {
  const [, , call] = key.split(':');
  return call === undefined ? null : (call as ToolCallId);
}

export const sealSecret = (ring: KeyRing, place: CredentialPlace, kept: KeptSecret): Buffer =>
  sealCredential(ring, place, JSON.stringify(kept));

/** Anything but the result of `sealSecret` for this place is `sealed-unreadable`. */
export const openSecret = (ring: KeyRing, place: CredentialPlace, sealed: Uint8Array): KeptSecret =>
  JSON.parse(openCredential(ring, place, sealed)) as KeptSecret;
