import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { WebhookReach } from '../contract/webhook.ts';
import { DeliveryFailure, retryAfterMs } from '../../channel/delivery-failure.ts';
import type { WebhookTarget } from '../rules.ts';
import type { ShownEvent } from '../../verbs/notices.ts';
import { createReach, pinnedTo, reachableAddress, type Reach } from '#platform/http/client/reachable-addresses';

/** Milliseconds; with a slow resolver still much less than the lease of a notification. */
const defaultTimeoutMs = 15_000;
/** Milliseconds for which a connection is kept for the next delivery: less than usual at servers. */
const keepAliveMs = 4_000;
/** Bytes of an answer's body that are skipped to keep the connection. */
const maxIgnored = 65_536;

/** Sends each call once; the row of its notification holds the time of the next try. */
export function createWebhookClient({ networks, ...tls }: WebhookReach, timeoutMs = defaultTimeoutMs) {
  const mayReach = createReach(networks);
  const agent = new Agent({ ...tls, keepAlive: true, timeout: keepAliveMs, rejectUnauthorized: true });
  return {
    /** Resolves when the other side has taken it. It follows no redirect, and uses nothing of the answer but its head. */
    async post(url: string, headers: Record<string, string>, body: string | Uint8Array) {
      const target = new URL(url);
      const address = await addressOf(target, mayReach);
      assertDelivered(await send(target, { address, headers, body, agent, timeoutMs }));
    },
  };
}

export type WebhookClient = ReturnType<typeof createWebhookClient>;

async function addressOf(target: URL, mayReach: Reach): Promise<string> {
  const address = await reachableAddress(target, mayReach).catch((error: unknown) => {
    throw new DeliveryFailure(codeOf(error));
  });
  if (address === null) throw new DeliveryFailure('address-not-allowed', { isFinal: true });
  return address;
}

interface Sending {
  address: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  agent: Agent;
  timeoutMs: number;
}

function send(target: URL, { address, headers, body, agent, timeoutMs }: Sending) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({
      ...pinnedTo(address, target),
      method: 'POST',
      headers: { 'user-agent': 'assentry', 'content-type': 'application/json', ...headers, host: target.host },
      signal: AbortSignal.timeout(timeoutMs),
      agent,
    });
    sent.once('response', (response) => {
      resolve(response);
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxIgnored) response.destroy();
      });
      response.on('error', () => {}); // the answer has been taken
    });
    // Without a handler the request would end with neither answer nor error.
    sent.once('upgrade', (response, socket) => {
      socket.destroy();
      reject(new DeliveryFailure(String(response.statusCode)));
    });
    sent.on('error', (error) => reject(new DeliveryFailure(codeOf(error))));
    sent.end(body);
  });
}

/** Throws unless delivered. 410 means that the receiver has gone for good; 429 and 503 may name the time to come again. */
function assertDelivered({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  throw new DeliveryFailure(String(statusCode), {
    isFinal: statusCode === 410,
    wait: retryAfterMs(headers['retry-after']),
  });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';

/** Request to a webhook. */
export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Writes an event in its receiver's format; null if the receiver gets no such event. */
export type WriteCall = (event: ShownEvent, target: WebhookTarget, sent: { id: string; at: number }) => Call | null;

/** A call whose sender is proved by its address, or a key in its body. */
export const unsigned = (body: object): Call => ({ headers: {}, body: JSON.stringify(body) });
