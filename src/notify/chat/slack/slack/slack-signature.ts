import { createHmac } from 'node:crypto';
import { equalBytes } from '#platform/crypto/random/compare';

export interface SignedDelivery {
  /** The headers `X-Slack-Request-Timestamp` and `X-Slack-Signature`. */
  timestamp: string | undefined;
  signature: string | undefined;
  /** As received, byte for byte. */
  body: Uint8Array;
}

/** How many seconds old a delivery may be, or its clock ahead. */
const window = 300;

/** Did Slack sign these bytes, within five minutes of `now` (milliseconds)? Slack's scheme v0. */
export function isFromSlack(secret: string, { timestamp, signature, body }: SignedDelivery, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp ?? '')) return false;
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  const isSigned = equalBytes(Buffer.from(`v0=${mac}`), Buffer.from(signature ?? ''));
  return isSigned && Math.abs(now / 1000 - Number(timestamp)) <= window;
}
