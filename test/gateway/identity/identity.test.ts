import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport as V2Transport, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createClient } from '#sdk/client/client';
import { callTool, findRequest, listRequests, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { commandOf, connectBy, kinds, startGates, startNotes, type Kind } from '../http/peers.ts';
import { initialize, post } from '../http/raw-post.ts';
import { notesServer } from '../peers.ts';
import { startTokenEndpoint } from '../upstreams/token-endpoint.ts';
import { personAt, startAuthorizationServer, type Person } from './authorization-server.ts';
import { json } from '../../support/json.ts';

const origin = 'https://gate.example.com';
const resource = `${origin}/u/notes/mcp`;
const all = `${origin}/mcp`;

const open = closedAfterEach();

const [issuer, provider, notes] = await Promise.all([startIssuer(), startAuthorizationServer(), startNotes()]);
const byKeys = { issuer: issuer.issuer, audience: [resource, all], jwks: `${issuer.url}/jwks` };
const server = await startTestServer({ tokenSources: { notes: byKeys } });
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
const recorder = await recordBefore(notes.url);
afterAll(async () => {
  await Promise.all([recorder.close(), notes.close(), issuer.close(), provider.close()]);
  await server.stop();
});

interface Recorder {
  url: string;
  heard: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** Passes everything on to this server, and keeps the headers. */
async function recordBefore(url: string): Promise<Recorder> {
  const heard: IncomingHttpHeaders[] = [];
  const http = createServer((request, response) => {
    const { method, headers } = request;
    heard.push(headers);
    const onward = httpRequest(url, { method, headers: { ...headers, host: new URL(url).host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    heard,
    close: async () => void http.close().closeAllConnections(),
  };
}

const byIssuer = (more: object = {}) => ({
  url: origin,
  authorization: { issuer: issuer.issuer, jwks: `${issuer.url}/jwks`, ...more },
});

async function start(more: Record<string, unknown> = byIssuer(), upstream: object = { url: recorder.url }) {
  const upstreams = { notes: { ...upstream } };
  const gateway = await startGates({ upstreams, clientFor: () => assentry, more });
  open.push(() => gateway.close());
  return { ...gateway, notes: `${gateway.url}/u/notes/mcp`, merged: `${gateway.url}/mcp` };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const as = async (sub: string, aud = resource) => bearer(await issuer.sign({ sub, aud }));
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

async function begin(url: string, headers: Record<string, string>): Promise<Record<string, string>> {
  const response = await post(url, initialize, headers);
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
}

async function connectAs(url: string, kind: Kind, person: Person) {
  const address = new URL(url);
  const transport = () =>
    kind === kinds[0]
      ? new StreamableHTTPClientTransport(address, { authProvider: person })
      : new V2Transport(address, { authProvider: person as unknown as OAuthClientProvider });
  const first = transport();
  await expect(connectBy(first, kind)).rejects.toThrow(/unauthorized/i);
  const answer = await person.signIn();
  await (first instanceof V2Transport ? first.finishAuth(answer) : first.finishAuth(answer.get('code') ?? ''));
  const { client } = await connectBy(transport(), kind);
  open.push(() => client.close());
  return client;
}

describe.each(kinds)('%s: a client that knows only the address', (kind) => {
  test.each([
    ['u/notes/mcp', 'write_note'],
    ['mcp', 'notes__write_note'],
  ])('finds the authorization server from /%s, and its person is the requester', async (path, tool) => {
    const gateway = await start({ authorization: { issuer: provider.issuer, jwks: provider.jwks, scopes: ['mcp'] } });
    const person = personAt(`ada-${kinds.indexOf(kind)}`);
    const client = await connectAs(`${gateway.url}/${path}`, kind, person);
    const text = `${kind} at ${path}`;
    const result = callTool(client, tool, { text });
    const { id } = await findRequest(approver, 'Run write_note on notes?');
    const subject = `ada-${kinds.indexOf(kind)}`;
    expect((await approver.show(id)).requester).toMatchObject({ subject, issuer: provider.issuer, verified: true });
    await approver.vote(id, 'accept');
    expect(textOf(await result)).toBe(`wrote ${text}`);
    expect(notes.done.filter((line) => line === `wrote ${text}`)).toHaveLength(1);
    expect(recorder.heard.length).toBeGreaterThan(0);
    expect(JSON.stringify(recorder.heard)).not.toContain(person.accessToken());
    expect(recorder.heard.some((headers) => 'authorization' in headers)).toBe(false);
  });
});

test('an address says where its tokens come from, and is closed without one', async () => {
  const gateway = await start();
  const refused = await post(gateway.notes, initialize);
  const metadata = `${origin}/.well-known/oauth-protected-resource/u/notes/mcp`;
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="${metadata}"`,
  ]);
  expect(await refused.json()).toMatchObject({ error: { data: { code: 'unauthenticated' } } });
  const documentAt = async (path: string) => (await fetch(gateway.url + path)).json();
  expect(await documentAt('/.well-known/oauth-protected-resource/u/notes/mcp')).toEqual({
    resource,
    authorization_servers: [issuer.issuer],
    bearer_methods_supported: ['header'],
  });
  expect(await documentAt('/.well-known/oauth-protected-resource/mcp')).toMatchObject({ resource: all });
});

const hour = () => Math.floor(Date.now() / 1000) + 3_600;

test.each<[string, () => Promise<string> | string]>([
  ['that is bound to a key (DPoP)', () => issuer.sign({ sub: 'ada', aud: resource, cnf: { jkt: 'a' } })],
  ['that is bound to a certificate', () => issuer.sign({ sub: 'ada', aud: resource, cnf: { 'x5t#S256': 'a' } })],
  ['that is another kind of token', () => issuer.sign({ sub: 'ada', aud: resource }, { typ: 'dpop+jwt' })],
  ['that is an ID token by its type', () => issuer.sign({ sub: 'ada', aud: resource }, { typ: 'logout+jwt' })],
  ['for another address', () => issuer.sign({ sub: 'ada', aud: `${origin}/u/files/mcp` })],
  ['for no one', () => issuer.sign({ sub: 'ada', aud: [] })],
  ['for the upstream itself', () => issuer.sign({ sub: 'ada', aud: recorder.url })],
  ['of another issuer', () => issuer.sign({ sub: 'ada', aud: resource, iss: 'https://evil.example.com' })],
  ['whose time is over', () => issuer.sign({ sub: 'ada', aud: resource, exp: 1 })],
  ['whose time has not come', () => issuer.sign({ sub: 'ada', aud: resource, nbf: hour() - 600 })],
  ['without an end', () => issuer.sign({ sub: 'ada', aud: resource, exp: undefined as unknown as number })],
  ['of no one', () => issuer.sign({ aud: resource })],
  ['of someone whom no one can name', () => issuer.sign({ sub: 'аda', aud: resource })],
  ['signed with another key', () => issuer.forge({ sub: 'ada', aud: resource })],
  ['signed with none', () => new UnsecuredJWT({ sub: 'ada', iss: issuer.issuer, aud: resource, exp: hour() }).encode()],
  [
    'signed with the public key as a secret',
    async () => {
      const { keys } = await json<{ keys: object[] }>(fetch(`${issuer.url}/jwks`));
      return new SignJWT({ sub: 'ada', iss: issuer.issuer, aud: resource, exp: hour() })
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(Buffer.from(JSON.stringify(keys[0])));
    },
  ],
  ['that is none', () => 'garbage'],
])('a token %s is refused, and the upstream hears nothing', async (_, token) => {
  const gateway = await start();
  const before = recorder.heard.length;
  const sent = bearer(await token());
  const answers = await Promise.all([
    post(gateway.notes, initialize, sent),
    post(gateway.merged, initialize, sent),
    fetch(gateway.notes, { headers: sent }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(answers[0]?.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(recorder.heard.length).toBe(before);
});

test('a token for all servers is good at each of them, and one for a server only there', async () => {
  const gateway = await start();
  expect((await post(gateway.notes, initialize, await as('ada', all))).status).toBe(200);
  expect((await post(gateway.merged, initialize, await as('ada'))).status).toBe(401);
});

test('a token that does not allow enough is told what is missing', async () => {
  const gateway = await start(byIssuer({ scopes: ['mcp'] }));
  const token = (scope: string) => issuer.sign({ sub: 'ada', aud: resource, scope });
  const answer = await post(gateway.notes, initialize, bearer(await token('mcp2 openid')));
  expect(answer.status).toBe(403);
  expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="mcp"');
  expect((await post(gateway.notes, initialize, bearer(await token('openid mcp')))).status).toBe(200);
});

test.each(['JWT', 'at+jwt', 'application/at+jwt'])('a token of the type %s is one', async (typ) => {
  const gateway = await start();
  const token = await issuer.sign({ sub: 'ada', aud: resource }, { typ });
  expect((await post(gateway.notes, initialize, bearer(token))).status).toBe(200);
});

test('a token in the address counts for nothing', async () => {
  const gateway = await start();
  const token = await issuer.sign({ sub: 'ada', aud: resource });
  expect((await post(`${gateway.notes}?access_token=${token}`, initialize)).status).toBe(404);
});

test('if the keys of the issuer cannot be had, no one is let in', async () => {
  const gateway = await start(byIssuer());
  issuer.fail(true);
  const answer = await post(gateway.notes, initialize, await as('ada'));
  issuer.fail(false);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('"unavailable"')]);
});

test('an opaque token is checked by the issuer’s own word', async () => {
  const { jwks: _, ...authorization } = byIssuer().authorization;
  const secret = { clientId: 'assentry', clientSecret: { env: 'GATE_SECRET' } };
  process.env['GATE_SECRET'] = 'sécret';
  const gateway = await start({
    url: origin,
    authorization: { ...authorization, introspection: `${issuer.url}/introspect`, ...secret },
  });
  issuer.opaque.set('right', { active: true, sub: 'ada', aud: resource });
  issuer.opaque.set('other', { active: true, sub: 'ada', aud: `${origin}/u/files/mcp` });
  issuer.opaque.set('early', { active: true, sub: 'ada', aud: resource, nbf: hour() });
  issuer.opaque.set('bound', { active: true, sub: 'ada', aud: resource, cnf: { jkt: 'a' } });
  issuer.opaque.set('proved', { active: true, sub: 'ada', aud: resource, token_type: 'DPoP' });
  const statuses = ['right', 'other', 'early', 'unknown', 'bound', 'proved'].map(async (token) => {
    return (await post(gateway.notes, initialize, bearer(token))).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 401, 401, 401, 401, 401]);
});

describe('a session', () => {
  test.each(['notes', 'merged'] as const)('at %s is of use only to who began it', async (door) => {
    const gateway = await start();
    const url = gateway[door];
    const [ada, bob] = [await as('ada', all), await as('bob', all)];
    const session = await begin(url, ada);
    const before = recorder.heard.length;
    const foreign = { ...session, ...bob };
    expect((await post(url, list, foreign)).status).toBe(404);
    await (await fetch(url, { headers: { ...foreign, accept: 'text/event-stream' } })).text();
    await (await fetch(url, { method: 'DELETE', headers: foreign })).text();
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'write_note', arguments: {} } };
    await (await post(url, call, foreign)).text();
    expect(recorder.heard.length).toBe(before);
    expect(await listRequests(approver)).toEqual([]);
    const [, own = ''] = session['mcp-session-id']?.split('.') ?? [];
    if (door === 'notes') expect((await post(url, list, { ...foreign, 'mcp-session-id': own })).status).toBe(404);
    expect((await post(url, list, { ...session, ...ada })).status).toBe(200);
  });

  test('goes on at another node that has the same secret, and at no other', async () => {
    process.env['GATE_SECRET'] = 'one secret of all nodes';
    const shared = byIssuer({ sessionSecret: { env: 'GATE_SECRET' } });
    const [first, same, other] = [await start(shared), await start(shared), await start()];
    const ada = await as('ada', all);
    for (const door of ['notes', 'merged'] as const) {
      const session = { ...(await begin(first[door], ada)), ...ada };
      expect((await post(same[door], list, session)).status).toBe(200);
      expect((await post(other[door], list, session)).status).toBe(404);
    }
  });
});

test('the state of a call that one person has begun is of no use to another', async () => {
  const gateway = await start();
  const params = { name: 'confirm', arguments: { text: 'x' }, _meta: modern };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'confirm' };
  const call = async (sub: string, more: object = {}): Promise<string> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...more } };
    return (await post(gateway.notes, body, { ...headers, ...(await as(sub)) })).text();
  };
  const first = call('ada');
  await approver.vote((await findRequest(approver, 'Run confirm on notes?')).id, 'accept');
  const [, requestState] = /"requestState":"([\w-]+)"/.exec(await first) ?? [];
  const answers = { requestState, inputResponses: { sure: { action: 'accept', content: { sure: true } } } };
  expect(await call('bob', answers)).toContain('token-invalid');
  expect(await call('ada', answers)).toContain('confirmed x');
});

test.each(kinds)('%s: a tool that the policies deny is not listed, and cannot be called', async (kind) => {
  const gateway = await start();
  await server.applyPolicies(['policy: none\nmatch: { server: notes, tool: slow }\ndeny: { reason: No. }\n']);
  const token = await issuer.sign({ sub: 'ada', aud: all });
  const requestInit = { headers: bearer(token) };
  const at = async (path: string) => {
    const address = new URL(gateway.url + path);
    const transport = kind === kinds[0] ? StreamableHTTPClientTransport : V2Transport;
    const { client } = await connectBy(new transport(address, { requestInit }), kind);
    open.push(() => client.close());
    return client;
  };
  const [client, merged] = [await at('/u/notes/mcp'), await at('/mcp')];
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['write_note', 'awaitElicitationResult']));
  expect(names).not.toContain('slow');
  expect((await merged.listTools()).tools.map(({ name }) => name)).not.toContain('notes__slow');
  expect(await callTool(client, 'slow', { text: kind })).toMatchObject({ isError: true });
  expect(notes.done).not.toContain(`started ${kind}`);
});

test('if Assentry cannot say what is denied, no tool is listed', async () => {
  const away = createClient({ url: 'http://127.0.0.1:1', apiKey: 'asn_x', retries: 0 });
  const gateway = await startGates({ upstreams: { notes: { url: notes.url } }, clientFor: () => away });
  open.push(() => gateway.close());
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const answer = await post(`${gateway.url}/u/notes/mcp`, { ...list, params: { _meta: modern } }, headers);
  expect(await answer.text()).toContain('"unavailable"');
});

test('a server that knows people gets a token in the requester’s name, and without one nothing runs', async () => {
  process.env['GATE_SECRET'] = 'own-secret';
  const endpoint = await startTokenEndpoint('own-secret');
  open.push(() => endpoint.close());
  const token = { endpoint: endpoint.url, clientId: 'gate', clientSecret: { env: 'GATE_SECRET' }, for: 'requester' };
  const gateway = await start(byIssuer(), { url: recorder.url, token });
  const own = await issuer.sign({ sub: 'ada', aud: resource });
  const call = async (text: string): Promise<string> => {
    const params = { name: 'write_note', arguments: { text }, _meta: modern };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'write_note' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return (await post(gateway.notes, body, { ...headers, ...bearer(own) })).text();
  };
  const before = recorder.heard.length;
  const result = call('in her name');
  await approver.vote((await findRequest(approver, 'Run write_note on notes?')).id, 'accept');
  expect(await result).toContain('wrote in her name');
  const sent = recorder.heard.slice(before).map(({ authorization }) => authorization);
  expect(new Set(sent)).toEqual(new Set(['Bearer issued-1']));
  expect(endpoint.asked.map((form) => form['subject_token'])).toEqual([own]);
  endpoint.answer(500, {});
  const other = await issuer.sign({ sub: 'bob', aud: resource });
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', ...bearer(other) };
  const answer = await post(gateway.notes, { ...list, params: { _meta: modern } }, headers);
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('"unavailable"')]);
});

test('without sessions, each person has a process of their own', async () => {
  const own = notesServer();
  const gateway = await start(byIssuer(), { ...commandOf(own.words), sessions: 1 });
  const ask = async (sub: string) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', ...(await as(sub)) };
    return (await post(gateway.notes, { ...list, params: { _meta: modern } }, headers)).status;
  };
  expect([await ask('ada'), await ask('ada'), await ask('bob')]).toEqual([200, 200, 503]);
});

test('Assentry checks the token itself if it is to get it', async () => {
  const gateway = await start(byIssuer({ sendAccessToken: true }));
  const params = { name: 'write_note', arguments: { text: 'checked' }, _meta: modern };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'write_note' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const result = post(gateway.notes, body, { ...headers, ...(await as('ada')) });
  const { id } = await findRequest(approver, 'Run write_note on notes?');
  expect((await approver.show(id)).requester).toMatchObject({ subject: 'ada', verifiedBy: issuer.issuer });
  await approver.vote(id, 'decline');
  expect(await (await result).text()).toContain('"declined"');
});
