import { ECDH } from 'node:crypto';
import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { closeBox, openBox } from '#platform/crypto/key-ring/ring-box';

/** Where the notifications of one browser go, and the keys that only this browser opens them with. */
export interface PushTarget {
  endpoint: string;
  /** Its public key and what both sides share, in base64url. */
  keys: { p256dh: string; auth: string };
  /** What the browser says it is. */
  agent: string;
}

/** Seals the target of the device with this id. */
export const sealDevice = (ring: KeyRing, id: string, { endpoint, keys, agent }: PushTarget): Buffer =>
  closeBox(ring, 'device', [id], JSON.stringify({ endpoint, keys, agent }));

/** Opens the result of `sealDevice` for this id. Anything else is `sealed-unreadable`. */
export const openDevice = (ring: KeyRing, id: string, box: Uint8Array): PushTarget =>
  JSON.parse(openBox(ring, 'device', [id], box).toString('utf8')) as PushTarget;

/** Is this a public key on P-256, as RFC 8291 needs it? */
export function isPushKey(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return Buffer.from(text, 'base64url').length === 65;
  } catch {
    return false;
  }
}
