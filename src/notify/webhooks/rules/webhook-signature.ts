import { randomBytes } from 'node:crypto';
import { hmacSha256 } from '#platform/crypto/digest/hmac';

const prefix = 'whsec_';

/** A new secret of a webhook, in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** What names a delivery and proves who sent it. */
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
