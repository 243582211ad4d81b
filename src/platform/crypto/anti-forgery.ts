import { equalBytes } from './random.ts';
import { hmacSha256, joinParts } from './digest.ts';
import { deriveKey, type KeyRing } from './key-ring.ts';

/**
 * The value in a page's form that shows that it comes from that page. It is bound to the browser's secret and the
 * subject.
 */
export const antiForgeryValue = (ring: KeyRing, secret: string, subject: string): string =>
  valueUnder(ring, ring.active, secret, subject);

/**
 * Was the value made for this browser and this subject? Compares in constant time, and accepts it after a rotation of
 * keys.
 */
export const isAntiForgeryValue = (ring: KeyRing, value: string, secret: string, subject: string): boolean =>
  ring.kids.some((kid) => equalBytes(Buffer.from(value), Buffer.from(valueUnder(ring, kid, secret, subject))));

const valueUnder = (ring: KeyRing, kid: string, secret: string, subject: string): string =>
  hmacSha256(deriveKey(ring, kid, 'antiForgery'), joinParts(secret, subject)).toString('base64url');
