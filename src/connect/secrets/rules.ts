import { drawnAs } from '#platform/text/lookalikes';
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

/** The first of these names that a label repeats or imitates; null if it is like none. Shorter names are words of many labels. */
export const imitatedIn = (label: string, names: readonly string[]): string | null =>
  names.find((name) => name.length >= 4 && asRead(label).includes(asRead(name))) ?? null;

/** Letters and digits as a hasty reader takes them: one that is drawn like another is the same. */
const asRead = (text: string): string =>
  drawnAs(text)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/5/g, 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
