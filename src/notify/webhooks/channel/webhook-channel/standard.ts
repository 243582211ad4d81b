import { signWebhook } from '../../rules/webhook-signature.ts';
import type { WriteCall } from '../webhooks/webhook-format.ts';

/** Standard Webhooks: the event itself, signed. */
export const writeStandard: WriteCall = (event, { secret }, { id, at }) => {
  const body = JSON.stringify({ ...event, data: event.data ?? {} });
  return { headers: signWebhook(secret ?? '', { id, at, body }), body };
};
