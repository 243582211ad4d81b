import webPush from 'web-push';
import type { PushTarget } from './device-box.ts';
import type { PushKeys } from './push-keys.ts';

interface PushMessage {
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Encrypts a payload so that only this browser opens it (RFC 8291), and signs who sends it (RFC 8292). The push service
 * keeps it for so many seconds.
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
