import webPush from 'web-push';
import { type KeyRing, closeBox, openBox } from '#platform/crypto/key-ring';
import { ECDH } from 'node:crypto';

interface PushMessage {
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Encrypts a payload so that only this browser opens it (RFC 8291), and signs its sender (RFC 8292). The push service keeps it
 * for this many seconds.
 */
export function encryptPush(
  { endpoint, keys }: PushTarget,
  { payload, seconds, sender }: { payload: string; seconds: number; sender: PushKeys & { subject: string } },
): PushMessage {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, payload, {
    vapidDetails: sender,
    TTL: seconds,
    urgency: 'high',
  });
  const texts = Object.entries(headers as Record<string, unknown>).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return { headers: Object.fromEntries(texts) as Record<string, string>, body: body ?? new Uint8Array(0) };
}

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

/** Push address of one browser, with the keys by which only it opens its notifications. */
export interface PushTarget {
  endpoint: string;
  /** Public key and shared secret of the browser, in base64url. */
  keys: { p256dh: string; auth: string };
  /** User agent of the browser. */
  agent: string;
}

/** Seals the target of the device with this id. */
export const sealDevice = (ring: KeyRing, id: string, { endpoint, keys, agent }: PushTarget): Buffer =>
  closeBox(ring, 'device', [id], JSON.stringify({ endpoint, keys, agent }));

/** Opens the result of `sealDevice` for this id. Anything else is `sealed-unreadable`. */
export const openDevice = (ring: KeyRing, id: string, box: Uint8Array): PushTarget =>
  JSON.parse(openBox(ring, 'device', [id], box).toString('utf8')) as PushTarget;

/** Is this a public key on P-256, as required by RFC 8291? */
export function isPushKey(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return Buffer.from(text, 'base64url').length === 65;
  } catch {
    return false;
  }
}
