import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { autoKeyOf, mayChoose } from '#connect/auto/rules';
import type { ConnectionToken, FoundConnection } from '#connect/connections/contract';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startIssuerOfServers } from '../../support/connect/issuer-of-servers.ts';
import { startProtectedServer } from '../../support/connect/protected-server.ts';
import { freshDatabase } from '../../support/databases/database.ts';
import { json } from '../../support/json.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, letIn, newVisitor } from '../../support/nodes/visitor.ts';

/** A trial of one person on their own machine, whose operator has listed no issuer. */
let ahead = 0;
const now = () => Date.now() + ahead;
const issuer = await startIssuerOfServers();
const notes = await startProtectedServer([issuer.issuer]);
const { host } = new URL(notes.url);
const requester = { subject: 'local:ada' };
const open = closedAfterEach();
beforeEach(() => void (ahead = 0));
afterAll(async () => {
  await issuer.close();
  await notes.close();
});

async function startHouse(options: Parameters<typeof startTestServer>[0] = {}) {
  const port = options.port ?? (await freePort());
  const house = await startTestServer({ now, port, ...options });
  open.push(() => house.stop());
  return { house, asking: askingAt(`http://127.0.0.1:${port}`, await house.newServerKey()) };
}

const expected = { kind: 'connection', provider: 'auto', resource: notes.url };
const question = { tool: { name: 'connect' }, arguments: {}, message: 'Connect.', mode: 'url', requester };
const ask = (asking: Asking, expects: object = {}): Promise<OpenedElicitation & { detail?: string }> =>
  json(asking.call('POST', '/v1/elicitations', { ...question, expects: { ...expected, ...expects } }));
const find = (asking: Asking): Promise<FoundConnection> =>
  json(asking.call('POST', '/v1/connections', { provider: 'auto', resource: notes.url, requester }));
const use = (asking: Asking, id: string): Promise<Response> =>
  asking.call('POST', `/v1/connections/${id}/token`, { requester });
const tokenOf = async (asking: Asking, id: string): Promise<string> =>
  (await json<ConnectionToken>(use(asking, id))).token;

async function leave(asking: Asking) {
  const [visitor, opened] = [newVisitor(), await ask(asking)];
  return { visitor, address: await leaveBy(visitor, opened.url ?? '', opened.code ?? '') };
}

async function connect(asking: Asking): Promise<string> {
  const { visitor, address } = await leave(asking);
  await visitor.get((await issuer.visit(address)).href);
  const answer = await find(asking);
  if (answer.state !== 'stored') throw new TypeError(`not connected: ${answer.state}`);
  return answer.connection.id;
}

const notAllowed = {
  code: 'provider-not-configured',
  detail: 'Ask an operator to set up "auto" in ASSENTRY_PROVIDERS.',
};
const password = 'seven quiet otters paint';
const first = { email: 'ada@example.com', name: 'Ada', role: 'admin', password } as const;
const second = { email: 'ben@example.com', name: 'Ben', role: 'reviewer', password } as const;

test('the one person of a trial allows the issuer on the page that names it', async () => {
  const { house, asking } = await startHouse();
  await house.addUser(first);
  const [visitor, opened] = [newVisitor(), await ask(asking)];
  const page = await letIn(visitor, opened.url ?? '', opened.code ?? '');
  const { host: site } = new URL(issuer.issuer);
  expect(page.html).toContain(`The server itself sends you to ${site}.`);
  expect(page.html).toContain(`It gives access to ${host} alone.`);
  const id = await connect(asking);
  expect(await find(asking)).toMatchObject({ connection: { provider: autoKeyOf(issuer.issuer), hosts: [host] } });
  expect(await issuer.isLive(await tokenOf(asking, id), notes.url)).toBe(true);
});

test('a restarted Assentry still has the connection, and renews its token', async () => {
  const [port, database] = [await freePort(), await freshDatabase()];
  open.push(() => database.drop());
  const { house, asking } = await startHouse({ port, databaseUrl: database.url });
  const id = await connect(asking);
  const token = await tokenOf(asking, id);
  await house.stop();
  const restarted = await startTestServer({ now, port, databaseUrl: database.url });
  open.push(() => restarted.stop());
  expect(await tokenOf(asking, id)).toBe(token);
  ahead = 570_000;
  const renewed = await tokenOf(asking, id);
  expect([renewed === token, await issuer.isLive(renewed, notes.url)]).toEqual([false, true]);
});

test('once a second person is there, no one is sent to it, comes back from it, or gets a token of it', async () => {
  const { house, asking } = await startHouse();
  await house.addUser(first);
  const { visitor, address } = await leave(asking);
  const waiting = await ask(asking);
  const id = await connect(asking);
  const back = (await issuer.visit(address)).href;
  await house.addUser(second);
  expect(await ask(asking)).toMatchObject(notAllowed);
  expect(await find(asking)).toMatchObject(notAllowed);
  const refused = { code: 'provider-not-configured', detail: expect.stringContaining('to the "issuers" of "auto"') };
  expect(await json(use(asking, id))).toMatchObject(refused);
  expect((await visitor.get(back)).status).not.toBe(303);
  expect(await leaveBy(newVisitor(), waiting.url ?? '', waiting.code ?? '')).toBe('');
});

test.each([
  ['in production', { environment: 'production' }],
  ['at an address that others reach', { publicUrl: 'https://approvals.example.com' }],
])('%s only an operator allows an issuer', async (_name, options) => {
  const { asking } = await startHouse(options);
  expect(await ask(asking)).toMatchObject(notAllowed);
});

test('a server cannot name the issuer in its question', async () => {
  const { asking } = await startHouse();
  expect(await ask(asking, { issuer: issuer.issuer })).toMatchObject({ code: 'INVALID_INPUT' });
});

test.each([
  ['https://id.example.com', 'https://mcp.example.com', true],
  ['http://127.0.0.1:9', 'http://localhost:8/mcp', true],
  ['http://127.0.0.1:9', 'https://mcp.example.com', false],
  ['https://localhost:9', 'https://mcp.example.com', false],
])('may %s be allowed for %s: %s', (name, resource, may) => expect(mayChoose(name, resource)).toBe(may));
