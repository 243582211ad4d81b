import type { ServerOptions } from '#server/server';
import type { PasskeyAssertion, PasskeyRequest } from '#access/passkeys/contract/passkeys';
import { json } from '../json.ts';
import { newAuthenticator, type Authenticator, type SigningOptions } from './authenticator.ts';
import { browserAt, type Browser } from './console.ts';
import { freePort } from './free-port.ts';
import { startTwoNodes, type TwoNodes } from './two-nodes.ts';

/** Two nodes under one name: for an IP address browsers make no passkey. */
export interface NamedHouse extends TwoNodes {
  publicUrl: string;
  /** Calls as a page of this house would, at one of its nodes. */
  call(browser: Browser, method: string, path: string, body?: unknown, node?: 0 | 1): Promise<Response>;
  /** Sends what someone who is not signed in would, from this address; with what the browser keeps. */
  send(path: string, body: unknown, more?: { cookie?: string; from?: string; node?: 0 | 1 }): Promise<Response>;
  /** Adds a passkey at one node with what the other gave out. */
  enrol(
    browser: Browser,
    options?: SigningOptions,
  ): Promise<{ device: Authenticator; answer: Response; challenge: string }>;
  /** The browser once this passkey has confirmed its session. */
  confirm(browser: Browser, device: Authenticator): Promise<Browser>;
  /** Begins a signed vote to approve, and signs it; the parts of the vote as they would be sent. */
  sign(browser: Browser, device: Authenticator, request: Voted, options?: SigningOptions): Promise<SignedParts>;
  /** The same, and sends it at the other node. */
  approve(browser: Browser, device: Authenticator, request: Voted, parts?: object): Promise<Response>;
}

type Voted = { id: string; digest: string };
export interface SignedParts {
  device: { nonce: string; assertion: PasskeyAssertion };
}

export async function startNamedHouse(options: Partial<ServerOptions> = {}): Promise<NamedHouse> {
  const [first, second] = [await freePort(), await freePort()];
  const publicUrl = `http://localhost:${first}`;
  const urls = [publicUrl, `http://localhost:${second}`] as const;
  const both = { ...options, publicUrl };
  const nodes = await startTwoNodes({ ...both, port: first }, { ...both, port: second });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const call: NamedHouse['call'] = (browser, method, path, body, node = 0) =>
    browser.at(urls[node]).call(method, path, body, headers);
  const sign: NamedHouse['sign'] = async (browser, device, { id, digest }, options) => {
    const begun = call(browser, 'POST', `/api/elicitations/${id}/vote/begin`, { action: 'accept', digest });
    const { nonce, request } = await json<{ nonce: string; request: PasskeyRequest }>(begun);
    return { device: { nonce, assertion: device.sign(request.challenge, options) } };
  };
  return {
    ...nodes,
    publicUrl,
    call,
    sign,
    send: (path, body, { cookie = '', from = '10.4.0.1', node = 0 } = {}) =>
      fetch(`${urls[node]}${path}`, {
        method: 'POST',
        headers: {
          ...headers,
          cookie,
          'x-forwarded-for': from,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async enrol(browser, options) {
      const device = newAuthenticator(publicUrl, options?.kind);
      const { challenge } = await json<{ challenge: string }>(call(browser, 'POST', '/api/account/passkeys/begin'));
      const answer = await call(browser, 'POST', '/api/account/passkeys', device.create(challenge, options), 1);
      return { device, answer, challenge };
    },
    async confirm(browser, device) {
      const begun = call(browser, 'POST', '/api/session/confirm/passkey/begin');
      const { challenge } = await json<{ challenge: string }>(begun);
      const answer = await call(browser, 'POST', '/api/session/confirm/passkey', device.sign(challenge), 1);
      return browserAt(publicUrl, browser.user, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '');
    },
    async approve(browser, device, { id, digest }, parts) {
      const signed = await sign(browser, device, { id, digest });
      const vote = { action: 'accept', content: {}, digest, ...signed, ...parts };
      return call(browser, 'POST', `/api/elicitations/${id}/vote`, vote, 1);
    },
  };
}
