import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { UnsecuredJWT } from 'jose';
import { z } from 'zod';
import { assentry } from '#sdk/mcp/assentry';
import { assentry as assentryV2 } from '#sdk/mcp/assentry-v2';
import { findRequest } from '../../sdk/mcp/peers.ts';
import { call } from '../../sdk/mcp-v2/peers.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { startIssuer, audience } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { dumpDatabase } from '../../support/databases/database-dump.ts';
import { json } from '../../support/json.ts';

const issuer = await startIssuer();
const tokens = { issuer: issuer.issuer, audience: [audience] };
const introspection = { introspection: `${issuer.url}/introspect`, clientId: 'assentry', clientSecret: 'sécret' };
const tokenSources = {
  payments: { ...tokens, jwks: `${issuer.url}/jwks` },
  bank: { ...tokens, jwks: `${issuer.url}/jwks` },
  files: { ...tokens, ...introspection },
  down: { ...tokens, jwks: `${issuer.url}/jwks` },
};
const server = await startTestServer({ environment: 'production', tokenSources });
afterAll(async () => {
  await server.stop();
  await issuer.close();
});
const ada = await server.newUser();
const askingAs = async (name: string) => askingAt(server.url, await server.newServerKey(name));
const [payments, files, plain] = [await askingAs('payments'), await askingAs('files'), await askingAs('plain')];

const tool = { name: 'wipe', annotations: { destructiveHint: true } };
const requester = { subject: 'auth0|42', verified: true };
const requesterOf = async (id: string) => (await ada.show(id)).requester;
const refused = async (asking: Asking, accessToken: string, parts = {}) => {
  const body = { tool, arguments: {}, message: 'Wipe?', requester, audience: 'approvers', accessToken, ...parts };
  const response = await asking.call('POST', '/v1/elicitations', body);
  return [response.status, (await json<{ errors?: { path: string[] }[] }>(response)).errors?.[0]?.path];
};

describe('MT-06 the access token of a requester', () => {
  test('is verified by the keys of the server’s issuer: one person may approve at high risk', async () => {
    const accessToken = await issuer.sign({ sub: 'auth0|42' });
    const { id } = await payments.open({ tool, requester, accessToken });
    expect(await requesterOf(id)).toMatchObject({ subject: 'auth0|42', verified: true, verifiedBy: issuer.issuer });
    expect((await ada.vote(id, 'accept', { confirmed: true })).status).toBe(200);
    expect((await ada.show(id)).status).toBe('accepted');
  });

  test('is verified by the issuer’s own word if it is opaque', async () => {
    const aud = ['https://else.example.com', audience];
    issuer.opaque.set('opaque-1', { active: true, sub: 'auth0|42', aud });
    issuer.opaque.set('opaque-2', { active: true, sub: 'auth0|42', aud: 'https://else.example.com' });
    const { id } = await files.open({ tool, requester, accessToken: 'opaque-1' });
    expect(await requesterOf(id)).toMatchObject({ verifiedBy: issuer.issuer });
    expect(await refused(files, 'opaque-2')).toEqual([400, ['accessToken']]);
    const unknown = await files.open({ tool, requester, accessToken: 'opaque-3' });
    expect(await requesterOf(unknown.id)).toMatchObject({ verified: true, verifiedBy: null });
  });

  test.each<[string, () => Promise<string> | string]>([
    ['of someone else', () => issuer.sign({ sub: 'auth0|43' })],
    ['of another spelling', () => issuer.sign({ sub: 'Auth0|42' })],
    ['for another server', () => issuer.sign({ sub: 'auth0|42', aud: 'https://else.example.com' })],
    ['of another issuer', () => issuer.sign({ sub: 'auth0|42', iss: 'https://evil.example' })],
    ['of no one', () => issuer.sign({})],
    ['signed with another key', () => issuer.forge({ sub: 'auth0|42' })],
    ['signed with none', () => new UnsecuredJWT({ sub: 'auth0|42', iss: issuer.issuer, aud: audience }).encode()],
    ['that is none', () => 'garbage'],
  ])('is refused if it is one %s', async (_, token) => {
    expect(await refused(payments, await token())).toEqual([400, ['accessToken']]);
  });

  test('does not speak for another issuer than its own', async () => {
    const accessToken = await issuer.sign({ sub: 'auth0|42' });
    const parts = { requester: { ...requester, issuer: 'https://evil.example' } };
    expect(await refused(payments, accessToken, parts)).toEqual([400, ['accessToken']]);
  });

  test.each<[string, () => Asking, () => Promise<{ accessToken?: string }>]>([
    ['has ended', () => payments, async () => ({ accessToken: await issuer.sign({ sub: 'auth0|42', exp: 1 }) })],
    ['is not sent', () => payments, async () => ({})],
    ['has no issuer configured', () => plain, async () => ({ accessToken: await issuer.sign({ sub: 'auth0|42' }) })],
  ])('that %s leaves the server’s word: two people have to approve', async (_, asking, sent) => {
    const { id } = await asking().open({ tool, requester, ...(await sent()) });
    expect(await requesterOf(id)).toMatchObject({ verified: true, verifiedBy: null });
    expect((await ada.vote(id, 'accept', { confirmed: true })).status).toBe(200);
    expect((await ada.show(id)).status).toBe('open');
  });

  test('that cannot be checked now is a fault, which decides nothing', async () => {
    const down = askingAt(server.url, await server.newServerKey('down'));
    issuer.fail(true);
    const [status] = await refused(down, await issuer.sign({ sub: 'auth0|42' }));
    issuer.fail(false);
    expect(status).toBe(503);
  });

  test('is kept nowhere', async () => {
    const accessToken = await issuer.sign({ sub: 'auth0|42' });
    await payments.open({ tool, requester, accessToken });
    expect(await dumpDatabase(server.databaseUrl)).not.toContain(accessToken.slice(-40));
  });
});

describe('MT-06 a server of the library that sends the token', () => {
  const message = 'Pay with a checked token?';
  const authInfo = async () => ({
    token: await issuer.sign({ sub: 'auth0|42' }),
    clientId: 'agent',
    scopes: [],
    extra: { sub: 'auth0|42', iss: issuer.issuer },
  });
  const optionsFor = async () => ({ url: server.url, apiKey: await server.newServerKey('bank'), holdTimeoutMs: 1 });

  test.each([
    [true, 'https://id.example.com'],
    [false, null],
  ])('over the SDK, if it may (%s), has its requester verified by %s', async (sendAccessToken, verifiedBy) => {
    const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
    const tools = assentry(mcp, { ...(await optionsFor()), sendAccessToken });
    tools.registerTool(`pay_${sendAccessToken}`, {}, async ({ elicit }) => {
      await elicit(`${message} ${sendAccessToken}`, z.object({}), { approval: true });
      return { content: [] };
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const auth = await authInfo();
    const send = theirs.send.bind(theirs);
    theirs.send = (sent, options) => send(sent, { ...options, authInfo: auth });
    const client = new Client({ name: 'agent', version: '1.0.0' });
    await Promise.all([mcp.connect(ours), client.connect(theirs)]);
    await client.callTool({ name: `pay_${sendAccessToken}`, arguments: {} });
    const { id } = await findRequest(ada, `${message} ${sendAccessToken}`);
    expect(await requesterOf(id)).toMatchObject({ subject: 'auth0|42', issuer: issuer.issuer, verifiedBy });
    await client.close();
  });

  test('over the SDK of the next generation has its requester verified', async () => {
    const options = { ...(await optionsFor()), sendAccessToken: true };
    const modern = createMcpHandler(() => {
      const mcp = new McpServerV2({ name: 'bank', version: '2.0.0' });
      assentryV2(mcp, options).registerTool('pay', {}, async ({ elicit }) => {
        await elicit(`${message} v2`, z.object({}), { approval: true });
        return { content: [] };
      });
      return mcp;
    });
    const serve = toNodeHandler(modern);
    const auth = await authInfo();
    const http = createServer((request, response) => {
      void serve(Object.assign(request, { auth }) as NodeIncomingMessageLike, response);
    });
    await once(http.listen(0, '127.0.0.1'), 'listening');
    await call(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, 'pay', {});
    const { id } = await findRequest(ada, `${message} v2`);
    expect(await requesterOf(id)).toMatchObject({ subject: 'auth0|42', verifiedBy: issuer.issuer });
    await modern.close();
    http.close().closeAllConnections();
  });
});
