import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { closeBox, openBox } from '#platform/crypto/key-ring/ring-box';

/** Seals the secret of the one-time link with this hash, until it has been mailed. */
export const sealLink = (ring: KeyRing, hash: Uint8Array, secret: string): Buffer =>
  closeBox(ring, 'link', [hex(hash)], secret);

/** Opens the result of `sealLink` for this hash. Anything else is `sealed-unreadable`. */
export const openLink = (ring: KeyRing, hash: Uint8Array, box: Uint8Array): string =>
  openBox(ring, 'link', [hex(hash)], box).toString('utf8');

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
