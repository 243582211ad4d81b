import { signWebhook } from '#core/crypto/webhooks/webhook-signature';
import type { WriteCall } from '../parts/webhook-format.ts';

/** Standard Webhooks: the event itself, signed. */
export const writeStandard: WriteCall = (event, { secret }, { id, at }) => {
  const body = JSON.stringify({ ...event, data: event.data ?? {} });
  return { headers: signWebhook(secret ?? '', { id, at, body }), body };
};
