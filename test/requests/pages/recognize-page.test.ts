import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { MintedToken, RecognizedPage } from '#requests/pages/contract';
import { json } from '../../support/json.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const publicUrl = 'https://approvals.example.com';
let ahead = 0;
const port = await freePort();
const far = await startTestServer({ publicUrl, port, now: () => Date.now() + ahead });
const near = await startTestServer();
/** The same address, with other secrets. */
const otherPort = await freePort();
const secrets = [{ kid: 'test', secret: 'another-secret-for-tests-of-enough-chars' }];
const other = await startTestServer({ publicUrl, port: otherPort, secrets });
afterAll(() => Promise.all([far, near, other].map((server) => server.stop())));
afterEach(() => void (ahead = 0));

const asking = askingAt(`http://127.0.0.1:${port}`, await far.newServerKey('shop'));
const gateway = askingAt(`http://127.0.0.1:${port}`, await far.newServerKey('gateway'));
const abroad = askingAt(`http://127.0.0.1:${otherPort}`, await other.newServerKey('shop'));
const atHome = askingAt(near.url, await near.newServerKey('shop'));

const issuer = 'https://id.example.com';
const alice = { subject: 'alice', issuer, verified: true };
const question = { mode: 'url', audience: 'requester', schema: undefined, session: 's', ttl: 600_000 };
const ask = async (by: Asking = asking, parts: Record<string, unknown> = {}) => {
  const opened = await by.open({ ...question, url: 'https://pay.example/', requester: alice, ...parts });
  return { ...opened, url: opened.url ?? '' };
};
const isOwn = async (url: string, requester: object = alice, by: Asking = gateway): Promise<boolean> => {
  const response = await by.call('POST', '/v1/pages/recognize', { url, requester });
  expect(response.status).toBe(200);
  return (await json<RecognizedPage>(response)).isOwn;
};

describe('a page of this installation, for the same requester', () => {
  test('is recognized by any of its servers, as connect page and as hosted page', async () => {
    expect(await isOwn((await ask()).url)).toBe(true);
    expect(await isOwn((await ask(asking, { url: undefined })).url)).toBe(true);
    const { id } = await ask();
    const sent = { session: 's', purpose: 'page', elicitation: id };
    const { pageUrl } = await json<MintedToken>(asking.call('POST', '/v1/tokens', sent));
    expect(await isOwn(pageUrl ?? '')).toBe(true);
  });

  test('is not recognized after its end, its deadline, or as another kind of page', async () => {
    const [ended, expired] = [await ask(), await ask()];
    await asking.call('POST', `/v1/elicitations/${ended.id}/cancel`, {});
    expect(await isOwn(ended.url)).toBe(false);
    expect(await isOwn(expired.url.replace('/go/', '/e/'))).toBe(false);
    ahead = 600_001;
    expect(await isOwn(expired.url)).toBe(false);
  });

  test('leaves nothing behind: neither a visit nor an entry', async () => {
    const { id, url } = await ask();
    const before = await far.engine.reader.history(id as never);
    await isOwn(url);
    expect(await far.engine.reader.history(id as never)).toEqual(before);
  });
});

test('a page of another installation at the same address is not recognized', async () => {
  const { url } = await ask(abroad);
  expect(url.startsWith(`${publicUrl}/go/v1.test.`)).toBe(true);
  expect(await isOwn(url)).toBe(false);
});

test.each([
  ['another subject', { ...alice, subject: 'bob' }],
  ['the same subject of another issuer', { ...alice, issuer: 'https://evil.example.com' }],
  ['the same subject of no issuer', { subject: 'alice', verified: true }],
  ['the same name without a proof', { ...alice, verified: false }],
  ['the same client without a proof', { subject: 'x', client: { name: 'agent' } }],
])('a page of %s is not recognized', async (_whose, requester) => {
  const { url } = await ask(asking, { requester: { ...alice, client: { name: 'agent' } } });
  expect([await isOwn(url, requester), await isOwn(url)]).toEqual([false, true]);
});

test.each<[string, (url: string) => string]>([
  ['another host', (url) => url.replace('approvals.example.com', 'approvals.example.com.evil.example')],
  ['the host as a user name', (url) => url.replace('approvals.example.com', 'approvals.example.com@evil.example')],
  ['a password in front of the host', (url) => url.replace('//', '//ada:secret@')],
  ['a port', (url) => url.replace('.com/', '.com:8443/')],
  ['capitals in the host', (url) => url.replace('approvals', 'Approvals')],
  ['a dot after the host', (url) => url.replace('.com/', '.com./')],
  ['http', (url) => url.replace('https:', 'http:')],
  ['a back slash', (url) => url.replace('.com/go', '.com\\go')],
  ['a query', (url) => `${url}?next=https://evil.example`],
  ['a fragment', (url) => `${url}#x`],
  ['a path behind the token', (url) => `${url}/../x`],
  ['a path in front of the token', (url) => url.replace('/go/', '/x/../go/')],
  ['an encoded token', (url) => url.replace('/go/v1.', '/go/v1%2e')],
  ['one other letter in its token', (url) => `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`],
  ['no token', (url) => url.slice(0, url.indexOf('/go/') + 4)],
])('with %s, the same address is not recognized', async (_what, change) => {
  const { url } = await ask();
  expect([await isOwn(url), await isOwn(change(url))]).toEqual([true, false]);
});

test('an address with a name or a callback in place of the token is not recognized', async () => {
  const { id } = await ask();
  const { token, callbackUrl } = await json<MintedToken>(
    asking.call('POST', '/v1/tokens', { session: 's', elicitation: id }),
  );
  const secret = callbackUrl?.split('/').at(-1);
  for (const text of [token, secret])
    for (const path of ['go', 'e']) expect(await isOwn(`${publicUrl}/${path}/${text}`)).toBe(false);
});

test('a page that no one could open is not recognized', async () => {
  const requester = { subject: 'client:agent', client: { name: 'agent' } };
  const { url } = await ask(asking, { requester });
  expect(await isOwn(url, requester)).toBe(false);
});

test.each([
  [true, { subject: 'local:ada', client: { name: 'agent', version: '1' } }],
  [true, { subject: 'client:agent' }],
  [false, { subject: 'local:ada', client: { name: 'agent', version: '2' } }],
  [false, { subject: 'local:ada', client: { name: 'another', version: '1' } }],
  [false, { subject: 'local:ada' }],
  [false, { subject: 'client:agent', verified: true }],
])('on one’s own machine, where no one is verified, %s of %j: the client is what is known', async (own, requester) => {
  const client = { name: 'agent', version: '1' };
  const { url } = await ask(atHome, { requester: { subject: 'client:agent', client } });
  expect(await isOwn(url, requester, atHome)).toBe(own);
});
