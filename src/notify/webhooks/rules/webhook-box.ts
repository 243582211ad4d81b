import type { WebhookManner } from '../contract/webhook.ts';
import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { closeBox, openBox } from '#platform/crypto/key-ring/ring-box';

/** Where a webhook goes, and how. The address of a chat is a secret as well. */
export interface WebhookTarget extends WebhookManner {
  url: string;
  /** What signs, or PagerDuty's integration key; null if the address is all. */
  secret: string | null;
}

/** Seals the target of the webhook with this id. */
export const sealWebhook = (ring: KeyRing, id: string, { url, format, language, secret }: WebhookTarget): Buffer =>
  closeBox(ring, 'webhook', [id], JSON.stringify({ url, format, language, secret }));

/** Opens the result of `sealWebhook` for this id. Anything else is `sealed-unreadable`. */
export const openWebhook = (ring: KeyRing, id: string, box: Uint8Array): WebhookTarget =>
  JSON.parse(openBox(ring, 'webhook', [id], box).toString('utf8')) as WebhookTarget;
