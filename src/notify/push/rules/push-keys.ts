import webPush from 'web-push';
import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { closeBox, openBox } from '#platform/crypto/key-ring/ring-box';

/** The pair of keys that identifies this installation to push services (RFC 8292), in base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** A new pair, sealed. */
export const newPushKeys = (ring: KeyRing): Buffer =>
  closeBox(ring, 'pushKeys', [], JSON.stringify(webPush.generateVAPIDKeys()));

/** Opens the result of `newPushKeys`. Anything else is `sealed-unreadable`. */
export const openPushKeys = (ring: KeyRing, box: Uint8Array): PushKeys =>
  JSON.parse(openBox(ring, 'pushKeys', [], box).toString('utf8')) as PushKeys;
