import { randomBytes } from 'node:crypto';
import { hmacSha256 } from '#platform/crypto/digest';
import type { WebhookManner } from './contract/webhook.ts';
import { type KeyRing, closeBox, openBox } from '#platform/crypto/key-ring';

const prefix = 'whsec_';

/** A new secret of a webhook, in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Headers that name a delivery and prove its sender. */
type WebhookHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** Signs these bytes as sent at `at` (milliseconds), in version 1 of Standard Webhooks. */
export function signWebhook(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): WebhookHeaders {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const mac = hmacSha256(key, `${id}.${timestamp}.${body}`).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
}

/** Target of a webhook and its format. The address of a chat is a secret as well. */
export interface WebhookTarget extends WebhookManner {
  url: string;
  /** Signing secret, or PagerDuty's integration key; null if the address is all. */
  secret: string | null;
}

/** Seals the target of the webhook with this id. */
export const sealWebhook = (ring: KeyRing, id: string, { url, format, language, secret }: WebhookTarget): Buffer =>
  closeBox(ring, 'webhook', [id], JSON.stringify({ url, format, language, secret }));

/** Opens the result of `sealWebhook` for this id. Anything else is `sealed-unreadable`. */
export const openWebhook = (ring: KeyRing, id: string, box: Uint8Array): WebhookTarget =>
  JSON.parse(openBox(ring, 'webhook', [id], box).toString('utf8')) as WebhookTarget;
