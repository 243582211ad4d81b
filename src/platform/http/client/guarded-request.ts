import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isPrivateAddress } from '../../model/names.ts';
import { Problem } from '../../model/problem.ts';
import { pinnedTo, reachableAddress, type Reach } from './reachable-addresses.ts';

interface Guard {
  mayReach: Reach;
  timeoutMs: number;
  /** Limit of the answer in bytes. */
  maxBytes?: number;
}

/**
 * Sends a request to an address that someone outside has a say in. It goes over https, or to this machine, and only to an
 * allowed address, looked up once. It follows no redirect: that is its answer. The answer is read whole, within this time and
 * size. Whatever fails on the way is problem `unavailable`.
 */
export async function sendGuarded(
  url: URL,
  { signal: _signal, ...request }: RequestInit,
  { mayReach, timeoutMs, maxBytes = 1024 * 1024 }: Guard,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (!isPrivateAddress(url.href)) throw closed(url);
    const address = await Promise.race([reachableAddress(url, mayReach), endOf(signal)]);
    if (address === null) throw closed(url);
    const answer = await send(url, { ...request, signal }, address);
    return await readWhole(answer, maxBytes);
  } catch (cause) {
    throw cause instanceof Problem ? cause : new Problem('unavailable', { cause });
  }
}

/** A resolver of names cannot be interrupted; so it is left alone. */
async function endOf(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit, address: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const text = textOf(body);
    const sent = request({
      ...pinnedTo(address, url),
      method,
      headers: {
        'user-agent': 'assentry',
        ...Object.fromEntries(new Headers(headers)),
        host: url.host,
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }), // Node leaves it out of a DELETE
      },
      signal: signal ?? undefined,
      agent: false,
      rejectUnauthorized: true,
    });
    sent.once('response', resolve);
    // Without a handler the request would end with neither answer nor error.
    sent.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The other side changes the protocol.'));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

const textOf = (body: RequestInit['body']): string | undefined =>
  typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined;

async function readWhole(answer: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new Problem('unavailable', { detail: `The answer is longer than ${maxBytes} bytes.` });
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headers } = answer;
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  );
  return new Response(bodyless.includes(status) ? null : Buffer.concat(chunks), { status, headers: fields });
}

/** Statuses of answers without a body. */
const bodyless = [204, 205, 304];

const closed = ({ hostname }: URL): Problem =>
  new Problem('unavailable', { detail: `Nothing is sent to ${hostname}: it is no public address.` });
