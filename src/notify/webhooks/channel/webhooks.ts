import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP, type IPVersion } from 'node:net';
import type { WebhookReach } from '../contract/webhook.ts';
import { DeliveryFailure, retryAfterMs } from '../../channel/delivery-failure.ts';
import type { WebhookTarget } from '../rules.ts';
import type { ShownEvent } from '../../verbs/notices.ts';
import { listNetworks } from '#platform/nodes/verbs/networks';

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

/** Address of a host, looked up once: the checked address is the connected one. */
async function addressOf({ hostname }: URL, mayReach: ReturnType<typeof createReach>): Promise<string> {
  const addresses = await lookup(bare(hostname), { all: true }).catch((error: unknown) => {
    throw new DeliveryFailure(codeOf(error));
  });
  const open = addresses.find(({ address, family }) => mayReach(address, family));
  if (!open) throw new DeliveryFailure('address-not-allowed', { isFinal: true });
  return open.address;
}

interface Sending {
  address: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  agent: Agent;
  timeoutMs: number;
}

function send({ hostname, host, port, pathname, search }: URL, { address, headers, body, agent, timeoutMs }: Sending) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const name = bare(hostname);
    const sent = request({
      host: address,
      port: port === '' ? 443 : Number(port),
      // The certificate must be for the name, though the connection goes to the address.
      servername: isIP(name) === 0 ? name : '',
      path: `${pathname}${search}`,
      method: 'POST',
      headers: { 'user-agent': 'assentry', 'content-type': 'application/json', ...headers, host },
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

/** Host without the brackets of IPv6. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Request to a webhook. */
export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Writes an event in its receiver's format; null if the receiver gets no such event. */
export type WriteCall = (event: ShownEvent, target: WebhookTarget, sent: { id: string; at: number }) => Call | null;

/** A call whose sender is proved by its address, or a key in its body. */
export const unsigned = (body: object): Call => ({ headers: {}, body: JSON.stringify(body) });

/** Networks that are not public, by IANA's registries. Of IPv6, everything outside 2000::/3 is not. */
const closed4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
const open6 = '2000::/3';

/** Checks whether a webhook may go to an address: if it is public, or in one of these networks. */
export function createReach(networks: readonly string[]): (address: string, family: number) => boolean {
  const [allowed, closed, global] = [
    listNetworks(networks),
    listNetworks([...closed4, ...closed6]),
    listNetworks([open6]),
  ];
  return (address, family) => {
    const version = versionOf(family);
    const isPublic = !closed.check(address, version) && (version === 'ipv4' || global.check(address, version));
    return isPublic || allowed.check(address, version);
  };
}

const versionOf = (family: number): IPVersion => (family === 6 ? 'ipv6' : 'ipv4');
