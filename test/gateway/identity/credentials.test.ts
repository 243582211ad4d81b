import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import pg from 'pg';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { findCredential } from '#connect/credentials/verbs';
import { eraseContent } from '#keeping/content/verbs/erase';
import { changeUser } from '#people/users/verbs';
import type { CredentialId, ElicitationId } from '#platform/model/id';
import { callTool, findRequest, textOf } from '../../sdk/mcp/peers.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { json } from '../../support/json.ts';
import { startTestServer, testSecrets, type TestUser } from '../../support/nodes/server.ts';
import { newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { startGates } from '../http/peers.ts';
import { Problem } from '#platform/model/problem';
import { initialize, post } from '../http/raw-post.ts';
import { startPersonalNotes, type PersonalNotes } from './personal-notes.ts';

/** Two people, a gateway that checks their tokens, and a server that wants to be shown what each has entered. */
const origin = 'https://gate.example.com';
const resource = `${origin}/u/notes/mcp`;
const all = `${origin}/mcp`;

let notes: PersonalNotes;
let people: { ada: TestUser; bob: TestUser };
/** How far the clock is ahead. */
let ahead = 0;
const open: (() => Promise<void>)[] = [];
const secrets = [...testSecrets, { kid: 'next', secret: 'another-secret-for-tests-of-enough-characters' }];

const issuer = await startIssuer();
const byKeys = { issuer: issuer.issuer, audience: [resource, all], jwks: `${issuer.url}/jwks` };
const server = await startTestServer({
  secrets,
  tokenSources: { notes: byKeys, other: byKeys },
  now: () => Date.now() + ahead,
});
afterAll(async () => {
  await issuer.close();
  await server.stop();
});
const key = await server.newServerKey('notes');
const assentry = createClient({ url: server.url, apiKey: key });
await server.applyPolicies([
  'policy: free\nmatch: { server: notes, tool: [read_note, "*"] }\nallow: { ceiling: medium }\n',
]);
beforeEach(async () => {
  notes = await startPersonalNotes();
  const [ada, bob] = [await linked('ada'), await linked('bob')];
  people = { ada, bob };
});
afterEach(async () => {
  ahead = 0;
  for (const close of open.splice(0).toReversed()) await close();
  await notes.close();
});

type Name = 'ada' | 'bob';
let round = '';
/** As their tokens name them, in this test. */
const subjectOf = (name: string): string => `${name}-${round}`;

async function linked(name: Name): Promise<TestUser> {
  if (name === 'ada') round = randomUUID().slice(0, 8);
  const user = await server.newUser('reviewer');
  await changeUser(server.engine, 'operator', user.id as never, { subjects: [`${issuer.issuer}#${subjectOf(name)}`] });
  return user;
}

const tokenOf = (name: string, claims: object = {}) => issuer.sign({ sub: subjectOf(name), aud: all, ...claims });

async function start(upstream: object = {}, client = assentry, holdTimeoutMs?: number) {
  const gateway = await startGates({
    upstreams: { notes: { url: notes.url, credentials: 'per-person', ...upstream } },
    clientFor: () => client,
    ...(holdTimeoutMs !== undefined && { holdTimeoutMs }),
    more: { url: origin, authorization: { issuer: issuer.issuer, jwks: `${issuer.url}/jwks`, sendAccessToken: true } },
  });
  open.push(() => gateway.close());
  return gateway;
}

async function connect(gateway: { url: string }, name: Name, { opensUrls = true, path = '/u/notes/mcp' } = {}) {
  const capabilities = opensUrls ? { elicitation: { url: {} } } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const requestInit = { headers: { authorization: `Bearer ${await tokenOf(name)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url + path), { requestInit }) as never);
  open.push(() => client.close());
  return client;
}

/** Where the client is sent. */
async function linkFor(client: Client): Promise<{ url: string; message: string }> {
  const error = await callTool(client, 'write_note', { text: 'x' }).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(UrlElicitationRequiredError);
  const [elicitation] = (error as UrlElicitationRequiredError).elicitations;
  return elicitation as { url: string; message: string };
}

/** The browser in which this person is signed in at the console. */
function browserOf({ cookie }: TestUser): Visitor {
  const visitor = newVisitor();
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  return visitor;
}

async function enter(url: string, by: TestUser, secret: string) {
  const browser = browserOf(by);
  await browser.get(url);
  return browser.send(url, { action: 'store', secret });
}

/** The entries about credentials of this person, the oldest first. */
async function entriesOf(user: TestUser): Promise<string[]> {
  const rows = await query(`SELECT convert_from(body, 'UTF8') AS body FROM audit_entry ORDER BY id`);
  const events = rows.map(({ body }) => JSON.parse(String(body)) as { type: string; user?: string; at: string });
  return events
    .filter(({ type, user: about }) => type.startsWith('credential.') && about === user.id)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map(({ type }) => type);
}

async function query(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const stored = (user: TestUser) =>
  json<{ credentials: { id: CredentialId; server: string; usedAt: number | null; refusedAt: number | null }[] }>(
    user.call('GET', '/api/account/credentials'),
  ).then(({ credentials }) => credentials);

test('each person is asked once, and the server is shown what they entered, for each their own', async () => {
  const gateway = await start();
  const [ada, bob] = [await connect(gateway, 'ada'), await connect(gateway, 'bob')];
  const [forAda, forBob] = [await linkFor(ada), await linkFor(bob)];
  expect(forAda.message).toBe('Enter your credentials for notes, and call again. Nothing was run.');
  expect(notes.called).toEqual([]);
  const adas = browserOf(people.ada);
  expect((await adas.get(forAda.url)).html).not.toContain('notes');
  const form = await adas.send(forAda.url, { action: 'prove' });
  expect([form.status, form.html]).toEqual([200, expect.stringContaining('Your credentials for notes')]);
  expect(form.html).toMatch(/<input id="secret" name="secret" type="password" autocomplete="new-password"/);
  const kept = await adas.send(forAda.url, { action: 'store', secret: 'ada-secret-1' });
  expect([kept.status, kept.html.includes('ada-secret-1')]).toEqual([200, false]);
  expect((await enter(forBob.url, people.bob, 'bob-secret-1')).status).toBe(200);
  notes.taken = new Set(['Bearer ada-secret-1', 'Bearer bob-secret-1']);
  expect(textOf(await callTool(ada, 'write_note', { text: 'of ada' }))).toBe('wrote of ada');
  expect(textOf(await callTool(bob, 'write_note', { text: 'of bob' }))).toBe('wrote of bob');
  expect(notes.called.map(({ authorization }) => authorization)).toEqual([
    'Bearer ada-secret-1',
    'Bearer bob-secret-1',
  ]);
  expect(await entriesOf(people.ada)).toEqual(['credential.stored', 'credential.used']);
  expect(await stored(people.ada)).toMatchObject([{ server: 'notes', usedAt: expect.any(Number), refusedAt: null }]);
});

test('another node of Assentry and of the gateway knows them, and so does the merged endpoint', async () => {
  const first = await start();
  await enter((await linkFor(await connect(first, 'ada'))).url, people.ada, 'ada-secret-2');
  notes.taken.add('Bearer ada-secret-2');
  const merged = await connect(await start(), 'ada', { path: '/mcp' });
  expect(textOf(await callTool(merged, 'notes__write_note', { text: 'elsewhere' }))).toBe('wrote elsewhere');
});

test('they are sent as the configuration has it', async () => {
  await notes.close();
  notes = await startPersonalNotes('x-api-key');
  const client = await connect(await start({ credentials: { header: 'X-API-Key' } }), 'ada');
  await enter((await linkFor(client)).url, people.ada, 'plain key');
  notes.taken.add('plain key');
  expect(textOf(await callTool(client, 'write_note', { text: 'keyed' }))).toBe('wrote keyed');
  expect(notes.called[0]).not.toHaveProperty('authorization');
});

test('a client that opens no addresses gets a sentence with the address, at its first message if the server is closed', async () => {
  const gateway = await start();
  const client = await connect(gateway, 'ada', { opensUrls: false });
  const answer = await callTool(client, 'write_note', { text: 'x' });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toMatch(
    /^Enter your credentials for notes, .* Open this address yourself: http:\S+\/credentials\/v1\./,
  );
  notes.isClosed = true;
  const headers = { authorization: `Bearer ${await tokenOf('ada')}` };
  const refused = await post(`${gateway.url}/u/notes/mcp`, initialize, headers);
  expect([refused.status, await refused.text()]).toEqual([200, expect.stringMatching(/"unauthenticated"/)]);
});

describe('what is removed', () => {
  const remove = async (secret?: string) => {
    const [{ id } = { id: '' }] = await stored(people.ada);
    const [method, body] = secret === undefined ? (['DELETE'] as const) : (['POST', { secret }] as const);
    expect((await people.ada.call(method, `/api/account/credentials/${id}`, body)).status).toBe(204);
  };
  const sent = () => notes.called.map(({ authorization }) => authorization);

  test('is sent by no node of the gateway any more, although each has just sent it', async () => {
    const nodes = [await start(), await start()];
    const clients = await Promise.all(nodes.map((node) => connect(node, 'ada')));
    await enter((await linkFor(clients[0] as Client)).url, people.ada, 'first-secret');
    notes.taken = new Set(['Bearer first-secret', 'Bearer other-secret']);
    const callAll = () => Promise.all(clients.map((client) => callTool(client, 'write_note', { text: randomUUID() })));
    await callAll();
    await remove('other-secret');
    await callAll();
    expect(sent()).toEqual([...Array(2).fill('Bearer first-secret'), ...Array(2).fill('Bearer other-secret')]);
    await remove();
    for (const client of clients) expect((await linkFor(client)).message).toMatch(/^Enter your credentials/);
    expect(sent()).toHaveLength(4);
  });

  test('is not sent either if the answer that has it comes late', async () => {
    const late = { release: (): void => {}, heard: (): void => {}, until: Promise.resolve() };
    const slow: AssentryClient['findCredential'] = async (...request) => {
      const answer = await assentry.findCredential(...request);
      late.heard();
      await late.until;
      return answer;
    };
    const client = await connect(await start({}, { ...assentry, findCredential: slow }), 'ada');
    await enter((await linkFor(client)).url, people.ada, 'late-secret');
    notes.taken.add('Bearer late-secret');
    late.until = new Promise((resolve) => (late.release = resolve));
    const isAsked = new Promise<void>((resolve) => (late.heard = resolve));
    const call = linkFor(client);
    await isAsked;
    await remove();
    late.release();
    expect((await call).message).toMatch(/^Enter your credentials/);
    expect(sent()).toEqual([]);
  });

  test('costs no request for each call', async () => {
    let count = 0;
    const counted: AssentryClient['findCredential'] = (...request) => {
      count += 1;
      return assentry.findCredential(...request);
    };
    const client = await connect(await start({}, { ...assentry, findCredential: counted }), 'ada');
    await enter((await linkFor(client)).url, people.ada, 'counted-secret');
    notes.taken.add('Bearer counted-secret');
    count = 0;
    await Promise.all(Array.from({ length: 20 }, () => callTool(client, 'read_note', { text: 'x' })));
    expect(sent()).toHaveLength(20);
    expect(count).toBeLessThan(10);
  });
});

describe('a client of 2026-07-28', () => {
  const meta = (capabilities: object) => ({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  });
  const opensUrls = { elicitation: { url: {} } };
  interface Result {
    resultType: string;
    content?: { text: string }[];
    inputRequests?: { credentials: { method: string; params: { mode: string; message: string; url: string } } };
    requestState?: string;
  }

  async function call(gateway: { url: string }, more: object = {}, { by = 'ada', text = 'x', capabilities = {} } = {}) {
    const params = { name: 'write_note', arguments: { text }, _meta: meta({ ...opensUrls, ...capabilities }), ...more };
    const headers = {
      authorization: `Bearer ${await tokenOf(by)}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'write_note',
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await (await post(`${gateway.url}/u/notes/mcp`, message, headers)).text();
    return JSON.parse(answer.replace(/^[^{]*data: /s, '')) as { result: Result; error?: { message: string } };
  }
  const answered = (requestState: string | undefined, action = 'accept') => ({
    requestState,
    inputResponses: { credentials: { action } },
  });

  test.each(['/u/notes/mcp', '/mcp'])('opens the address for its person, and the call at %s goes on', async (path) => {
    const gateway = await start();
    const requestInit = { headers: { authorization: `Bearer ${await tokenOf('ada')}` } };
    const versionNegotiation = { mode: 'auto' } as const;
    const client = new V2Client({ name: 'test', version: '1' }, { capabilities: opensUrls, versionNegotiation });
    const sent: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { message, url } = params as { message: string; url: string };
      sent.push(message);
      await enter(url, people.ada, 'modern-secret');
      return { action: 'accept' };
    });
    await client.connect(new V2Transport(new URL(gateway.url + path), { requestInit }));
    open.push(() => client.close());
    notes.taken.add('Bearer modern-secret');
    const name = path === '/mcp' ? 'notes__write_note' : 'write_note';
    const result = await client.callTool({ name, arguments: { text: path } });
    expect(result.content).toEqual([{ type: 'text', text: `wrote ${path}` }]);
    expect(sent).toEqual(['Enter your credentials for notes, and call again. Nothing was run.']);
    expect(notes.notes.done).toEqual([`wrote ${path}`]);
  });

  test('hears that Assentry cannot be asked for a state, and the gateway goes on', async () => {
    const sealRound = (): never => {
      throw new Problem('unavailable');
    };
    const gateway = await start({}, { ...assentry, sealRound });
    for (const text of ['x', 'y'])
      expect(await call(gateway, {}, { text })).toMatchObject({ error: { data: { code: 'unavailable' } } });
  });

  test('reads the address in the result if it does not say that it opens any', async () => {
    const { result } = await call(await start(), {}, { capabilities: { elicitation: { form: {} } } });
    expect([result.resultType, result.content?.[0]?.text]).toEqual([
      'complete',
      expect.stringMatching(/Open this address yourself: http/),
    ]);
  });

  test('brings its state back once, for the same person and call; a decline, a wait in vain and any other state run nothing', async () => {
    const gateway = await start({}, assentry, 300);
    const { result } = await call(gateway);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { credentials: { params: { mode: 'url' } } },
    });
    const state = result.requestState;
    const url = result.inputRequests?.credentials.params.url ?? '';
    expect((await call(gateway, answered(state, 'decline'))).error?.message).toMatch(/you declined it/);
    const again = (await call(gateway)).result.requestState;
    expect((await call(gateway, answered(again))).result.content?.[0]?.text).toMatch(/^Enter your credentials/); // waited
    const unused = (await call(gateway)).result.requestState;
    await enter(url, people.ada, 'state-secret');
    const bobs = (await call(gateway, {}, { by: 'bob' })).result;
    await enter(bobs.inputRequests?.credentials.params.url ?? '', people.bob, 'state-secret');
    notes.taken.add('Bearer state-secret');
    const invalid = 'Invalid or expired requestState';
    for (const old of [state, again, 'made up', bobs.requestState])
      expect((await call(gateway, answered(old))).error?.message).toBe(invalid);
    expect((await call(gateway, answered(unused), { by: 'bob' })).error?.message).toBe(invalid);
    expect((await call(gateway, answered(unused), { text: 'other' })).error?.message).toBe(invalid);
    expect(notes.called).toEqual([]);
    expect((await call(gateway, answered(unused))).result.content).toEqual([{ type: 'text', text: 'wrote x' }]);
    expect((await call(gateway, answered(unused))).error?.message).toBe(invalid);
    expect(notes.notes.done).toEqual(['wrote x']);
  });

  test('waits for approvers with the state as without it', async () => {
    const approver = await server.newUser('approver');
    const gated = createClient({ url: server.url, apiKey: await server.newServerKey('other') });
    const gateway = await start({}, gated);
    const { result } = await call(gateway);
    await enter(result.inputRequests?.credentials.params.url ?? '', people.ada, 'gated-secret');
    notes.taken.add('Bearer gated-secret');
    const waiting = call(gateway, answered(result.requestState));
    const { id } = await findRequest(approver, 'Run write_note on notes?');
    expect(notes.called).toEqual([]);
    await approver.vote(id, 'accept');
    expect((await waiting).result.content).toEqual([{ type: 'text', text: 'wrote x' }]);
    expect(notes.notes.done).toEqual(['wrote x']);
  });
});

describe('a link', () => {
  test('stores nothing for anyone but its person, and tells them nothing', async () => {
    const { url } = await linkFor(await connect(await start(), 'ada'));
    const stranger = await server.newUser('admin');
    for (const visitor of [newVisitor(), browserOf(people.bob), browserOf(stranger)]) {
      await visitor.get(url);
      for (const fields of [{ action: 'prove' }, { action: 'store', secret: 'planted-secret' }]) {
        const refused = await visitor.send(url, fields);
        expect([refused.status, refused.html.includes('notes')]).toEqual([403, false]);
      }
    }
    expect([await stored(people.ada), await stored(people.bob)]).toEqual([[], []]);
  });

  test('is of no use to a person with the same address or subject at another issuer', async () => {
    const { url } = await linkFor(await connect(await start(), 'ada'));
    await changeUser(server.engine, 'operator', people.ada.id as never, { subjects: [] });
    const evil = [`https://evil.example.com#${subjectOf('ada')}`, `${issuer.issuer}#other-${round}`];
    await changeUser(server.engine, 'operator', people.bob.id as never, { subjects: evil });
    for (const person of [people.ada, people.bob]) expect((await enter(url, person, 'planted')).status).toBe(403);
  });

  test('stores once, even if two forms race', async () => {
    const { url } = await linkFor(await connect(await start(), 'ada'));
    const browsers = [browserOf(people.ada), browserOf(people.ada)];
    for (const browser of browsers) await browser.get(url);
    const answers = await Promise.all(
      browsers.map((browser, at) => browser.send(url, { action: 'store', secret: `raced-${at}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await stored(people.ada)).toHaveLength(1);
    expect((await browserOf(people.ada).get(url)).html).toContain('This link isn’t valid');
    expect((await enter(url, people.ada, 'replayed')).status).toBe(400);
  });

  test('that is forged, of another purpose, or too old opens nothing', async () => {
    const { url } = await linkFor(await connect(await start(), 'ada'));
    const minted = await assentry.mintToken({ session: 's', purpose: 'page' });
    const [before, token = ''] = url.split('/credentials/');
    const altered = token.replace(/.(?=.$)/u, (last) => (last === 'A' ? 'B' : 'A'));
    const forged = [altered, token.slice(1), 'x', minted.token];
    const invalid = forged.map((text) => browserOf(people.ada).get(`${before}/credentials/${text}`));
    for (const { html } of await Promise.all(invalid)) expect(html).toContain('This link isn’t valid');
    expect((await browserOf(people.ada).get(`${before}/e/${token}`)).html).toContain('This link isn’t valid');
    ahead = 11 * 60_000;
    expect((await browserOf(people.ada).get(url)).html).toContain('This link isn’t valid');
  });

  test('takes no form of another site', async () => {
    const { url } = await linkFor(await connect(await start(), 'ada'));
    const browser = browserOf(people.ada);
    await browser.get(url);
    const form = { action: 'store', secret: 'planted' };
    const foreign = await browser.send(url, form, { 'sec-fetch-site': 'cross-site' });
    const forged = await browser.send(url, { ...form, proof: 'x'.repeat(43) });
    expect([foreign.status, forged.status]).toEqual([403, 403]);
    expect(await stored(people.ada)).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['two lines', 'two\nlines'],
    ['other letters', 'ümlaut'],
    ['too much', 'x'.repeat(4_097)],
  ])('takes no credentials that no header can hold: %s', async (_what, secret) => {
    const { url } = await linkFor(await connect(await start(), 'ada'));
    const answer = await enter(url, people.ada, secret);
    expect([answer.status, answer.html]).toEqual([400, expect.stringContaining('Nothing was stored.')]);
    if (secret !== '') expect(answer.html).not.toContain(secret);
    expect((await enter(url, people.ada, 'right')).status).toBe(200);
  });
});

test('credentials that the server does not take are sent once, and asked for again', async () => {
  const client = await connect(await start(), 'ada');
  const first = await linkFor(client);
  await enter(first.url, people.ada, 'wrong-secret');
  const again = await linkFor(client);
  expect(again.message).toBe(
    'Enter other credentials for notes, and call again: it did not take yours. Nothing was run.',
  );
  const sent = () => notes.heard.filter((headers) => headers.includes('wrong-secret')).length;
  const before = sent();
  const urls = [await linkFor(client), await linkFor(client)].map(({ url }) => url);
  expect([new Set([again.url, ...urls]).size, again.url === first.url]).toEqual([1, false]);
  expect(sent()).toBe(before);
  expect(notes.called).toHaveLength(1);
  expect(await stored(people.ada)).toMatchObject([{ refusedAt: expect.any(Number) }]);
  await enter(again.url, people.ada, 'right-secret');
  notes.taken.add('Bearer right-secret');
  expect(textOf(await callTool(client, 'write_note', { text: 'taken' }))).toBe('wrote taken');
  expect(await entriesOf(people.ada)).toEqual([
    'credential.stored',
    'credential.used',
    'credential.refused',
    'credential.stored',
    'credential.used',
  ]);
});

describe('a stolen key of the gateway', () => {
  const refusedWith = (accessToken: string, by = assentry) =>
    by.findCredential({ accessToken }).then(
      ({ state }) => state,
      (error: { code?: string }) => error.code,
    );
  beforeEach(async () => {
    await enter((await linkFor(await connect(await start(), 'ada'))).url, people.ada, 'ada-secret-3');
  });

  test.each<[string, () => Promise<string> | string, string]>([
    ['a word', () => 'x', 'INVALID_INPUT'],
    ['a token that it signed itself', () => issuer.forge({ sub: subjectOf('ada'), aud: all }), 'INVALID_INPUT'],
    [
      'a token of hers for another audience',
      () => tokenOf('ada', { aud: 'https://elsewhere.example.com' }),
      'INVALID_INPUT',
    ],
    ['a token of hers whose time is over', () => tokenOf('ada', { exp: 1 }), 'forbidden'],
    ['a token of someone else', () => tokenOf('bob'), 'missing'],
  ])('gets nothing of anyone with %s', async (_what, token, code) => {
    expect(await refusedWith(await token())).toBe(code);
  });

  test('of another server gets nothing of this one, and without a checked issuer nothing at all', async () => {
    const keyed = async (name: string) => createClient({ url: server.url, apiKey: await server.newServerKey(name) });
    const token = await tokenOf('ada');
    expect(await refusedWith(token, await keyed('other'))).toBe('missing');
    expect(await refusedWith(token, await keyed('unchecked'))).toBe('forbidden');
    const [{ id } = { id: '' }] = await stored(people.ada);
    const refusal = { accessToken: await tokenOf('bob') };
    await expect(assentry.refuseCredential(id, refusal)).rejects.toMatchObject({ code: 'not-found' });
    expect(await refusedWith(token)).toBe('stored');
  });
});

describe('a person loses them', () => {
  let id: CredentialId;
  beforeEach(async () => {
    await enter((await linkFor(await connect(await start(), 'ada'))).url, people.ada, 'ada-secret-4');
    id = (await stored(people.ada))[0]?.id as CredentialId;
  });
  const stateNow = async () =>
    (await assentry.findCredential({ accessToken: await tokenOf('ada'), link: false })).state;

  test('by removing or replacing them, which no one else can', async () => {
    const at = `/api/account/credentials/${id}`;
    expect((await people.bob.call('DELETE', at)).status).toBe(404);
    expect((await people.bob.call('POST', at, { secret: 'planted' })).status).toBe(404);
    expect((await people.ada.call('POST', at, { secret: 'line\nend' })).status).toBe(400);
    expect((await people.ada.call('POST', at, { secret: 'ada-secret-5' })).status).toBe(204);
    expect(await assentry.findCredential({ accessToken: await tokenOf('ada') })).toMatchObject({
      secret: 'ada-secret-5',
    });
    const [{ id: now } = { id }] = await stored(people.ada);
    expect((await people.ada.call('DELETE', at)).status).toBe(404);
    expect((await people.ada.call('DELETE', `/api/account/credentials/${now}`)).status).toBe(204);
    expect(await stateNow()).toBe('missing');
    expect(await entriesOf(people.ada)).toEqual([
      'credential.stored',
      'credential.stored',
      'credential.used',
      'credential.removed',
    ]);
  });

  test('by the operator, who sees names and dates', async () => {
    const listed = (await server.credentials.list()).find((credential) => credential.id === id);
    expect(listed).toMatchObject({ server: 'notes', person: people.ada.name });
    expect(JSON.stringify(listed)).not.toContain('ada-secret-4');
    await server.credentials.remove(id);
    await expect(server.credentials.remove(id)).rejects.toMatchObject({ code: 'not-found' });
    expect(await stateNow()).toBe('missing');
  });

  test('by being disabled, for good', async () => {
    await changeUser(server.engine, 'operator', people.ada.id as never, { disabled: true });
    expect(await query(`SELECT id FROM upstream_credential WHERE id = '${id}'`)).toEqual([]);
    await changeUser(server.engine, 'operator', people.ada.id as never, { disabled: false });
    expect(await stateNow()).toBe('missing');
  });

  test('by no longer being known by issuer and subject', async () => {
    await changeUser(server.engine, 'operator', people.ada.id as never, { subjects: [] });
    await changeUser(server.engine, 'operator', people.bob.id as never, {
      subjects: [`${issuer.issuer}#${subjectOf('ada')}`],
    });
    expect(await stateNow()).toBe('missing');
  });

  test('by an erasure of everything of theirs', async () => {
    const requester = { issuer: issuer.issuer, subject: subjectOf('ada'), verified: true };
    const tool = { name: 'pay' };
    const opened = await assentry.open({ tool, arguments: {}, message: 'Pay?', schema, requester });
    ahead = 3 * 86_400_000;
    await eraseContent(server.engine, 'operator', {
      request: opened.id as ElicitationId,
      of: 'requester',
      ground: 'request',
    } as never);
    expect(await query(`SELECT id FROM upstream_credential WHERE id = '${id}'`)).toEqual([]);
    expect((await entriesOf(people.ada)).at(-1)).toBe('credential.removed');
  });

  const schema = { type: 'object', properties: { yes: { type: 'boolean' } } } as const;

  test('by a row that someone moved to another person, server or name', async () => {
    const sealed = `SELECT sealed FROM upstream_credential WHERE id = '${id}'`;
    expect(await query(sealed)).toHaveLength(1);
    await enter((await linkFor(await connect(await start(), 'bob'))).url, people.bob, 'bob-secret-4');
    await query(`UPDATE upstream_credential b SET sealed = (${sealed}) WHERE b.user_id = '${people.bob.id}'`);
    const moved = await assentry.findCredential({ accessToken: await tokenOf('bob'), link: false });
    expect(moved).toEqual({ state: 'missing', link: null });
    await server.credentials.remove((await stored(people.bob))[0]?.id as CredentialId); // no rotation could seal it again
  });
});

test('stays sealed: no table, no answer and no warning has the secret, also after a rotation of secrets', async () => {
  const gateway = await start();
  const client = await connect(gateway, 'ada');
  const secret = `needle-${randomUUID()}`;
  await enter((await linkFor(client)).url, people.ada, secret);
  notes.taken.add(`Bearer ${secret}`);
  const frames = [await client.listTools(), await callTool(client, 'write_note', { text: 'sealed' })];
  const tables = await query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const bytes = Buffer.from(secret).toString('hex');
  for (const { relname } of tables) {
    const rows = await query(`SELECT t::text AS row FROM ${pg.escapeIdentifier(String(relname))} t`);
    expect(rows.filter(({ row }) => String(row).includes(secret) || String(row).includes(bytes))).toEqual([]);
  }
  expect(JSON.stringify([frames, gateway.warnings])).not.toContain(secret);
  await server.secrets.rotate('next');
  await server.secrets.rewrap();
  await server.secrets.retire('test', { endLinks: true });
  const kept = await findCredential(
    server.engine,
    callerOf(await query(`SELECT id FROM server WHERE name = 'notes'`)),
    {
      accessToken: await tokenOf('ada'),
      link: false,
    },
  );
  expect(kept).toMatchObject({ state: 'stored', secret });
});

const callerOf = ([row]: Record<string, unknown>[]) =>
  ({ kind: 'server', id: row?.['id'], name: 'notes', tools: ['*'] }) as never;
