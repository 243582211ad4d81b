import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { changeUser } from '#people/users/verbs';
import { signInWithPassword } from '#access/passwords/verbs';
import type { User } from '#people/directory/contract/user';
import { callTool, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { compiled } from '../../support/compiled.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startIssuer, type Issuer } from '../../support/nodes/issuer.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { until } from '../../support/poll.ts';
import { kinds, startGates, type Kind } from '../http/peers.ts';
import { post } from '../http/raw-post.ts';
import { startWrapped } from '../peers.ts';
import { createPay } from './pay.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { drawn } from '../../support/runs.ts';

/** With a state of the server's own, and spelled so that a parser which writes it anew would change it. */
const outside = 'https://pay.example/authorize?item=a%20b&state=own-1&c=+%2f#terms';
const blocked =
  'policy: blocked\nmatch: { tool: assentry.connect }\nwhen: request.args.host == "blocked.example"\ndeny: { reason: Not there. }\n';
const free =
  'policy: free\nmatch: { tool: [get_pushed, get_withdrawn, get_required, get_round, get_finished] }\nallow: { ceiling: medium }\n';

/** The requests for addresses, in order. */
let ids: string[];
const open = closedAfterEach();

beforeEach(() => {
  ids = [];
});

const recordingClient = (client: AssentryClient): AssentryClient => ({
  ...client,
  open: async (request, options) => {
    const opened = await client.open(request, options);
    if (opened.mode === 'url') ids.push(opened.id);
    return opened;
  },
});

const server = await startTestServer();
const assentry = recordingClient(createClient({ url: server.url, apiKey: await server.newServerKey('notes') }));
/** Another server of the same Assentry. */
const asking = askingAt(server.url, await server.newServerKey('shop'));
await server.applyPolicies([free, blocked]);
const pay = await serveBothEras(() => createPay(), 0);
afterAll(async () => {
  await pay.close();
  await server.stop();
});

interface UrlQuestion {
  mode: string;
  message: string;
  url: string;
  elicitationId?: string;
}
type Person = (question: UrlQuestion) => ElicitResult | Promise<ElicitResult>;

interface Agent {
  client: Client;
  /** What the person was asked. */
  questions: UrlQuestion[];
  /** The elicitations that the client was told to be complete. */
  completed: string[];
}

/** A client that opens addresses for its person. */
async function connectBy(transport: object, kind: Kind, person: Person): Promise<Agent> {
  const questions: UrlQuestion[] = [];
  const completed: string[] = [];
  const ask = (params: unknown) => {
    questions.push(params as UrlQuestion);
    return person(params as UrlQuestion);
  };
  const capabilities = { elicitation: { form: {}, url: {} } };
  const info = { name: 'agent', version: '1' };
  const first = new Client(info, { capabilities });
  const mode = kind === '2026' ? 'auto' : 'legacy';
  const second = new V2Client(info, { capabilities, versionNegotiation: { mode } });
  first.setRequestHandler(ElicitRequestSchema, ({ params }) => ask(params));
  second.setRequestHandler('elicitation/create', ({ params }) => ask(params));
  const client = kind === kinds[0] ? first : (second as unknown as Client);
  await client.connect(transport as Transport);
  open.push(() => client.close());
  const { onmessage: take } = transport as Transport;
  (transport as Transport).onmessage = (message, extra) => {
    const { method, params } = message as { method?: string; params?: { elicitationId?: string } };
    if (method === 'notifications/elicitation/complete') completed.push(String(params?.elicitationId));
    take?.(message, extra);
  };
  return { client, questions, completed };
}

const places = ['its own address', 'the merged address', 'stdio'] as const;
type Place = (typeof places)[number];

/** The gateway before the server, as this client reaches it. */
async function start(place: Place, kind: Kind, person: Person = () => ({ action: 'accept' })) {
  if (place === 'stdio') {
    const program = compiled('test/gateway/connect/pay-server.ts');
    const wrapped = startWrapped([process.execPath, program], { client: assentry });
    open.push(() => wrapped.close());
    return { ...(await connectBy(wrapped, kind, person)), warnings: wrapped.warnings, prefix: '' };
  }
  const gateway = await startGates({ upstreams: { notes: { url: pay.url } }, clientFor: () => assentry });
  open.push(() => gateway.close());
  const address = new URL(place === places[0] ? (gateway.addresses['notes'] ?? '') : gateway.merged);
  const transport = kind === kinds[0] ? new StreamableHTTPClientTransport(address) : new V2Transport(address);
  const { warnings } = gateway;
  return { ...(await connectBy(transport, kind, person)), warnings, prefix: place === places[0] ? '' : 'notes__' };
}

/** The answer to a call of 2026-07-28 at this address. */
function callRound(address: string, headers: Record<string, string> = {}): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const params = { name: 'get_round', arguments: { url: outside }, _meta: meta };
  const own = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_round' };
  return post(address, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { ...own, ...headers });
}

/** The code that the client shows with a question. */
const codeIn = ({ message }: { message: string }): string => /code (\d{3} \d{3})$/.exec(message)?.[1] ?? '';

const ways: [Place, Kind][] = places.flatMap((place) => kinds.map((kind): [Place, Kind] => [place, kind]));
const drawnWays = (name: string) => drawn(name, ways, { values: (way) => way });

describe.each(drawnWays('addresses'))('at %s, %s: an address of a server', (place, kind) => {
  const tool = kind === '2026' ? 'get_round' : 'get_pushed';

  test('leads through the connect page, and the server’s own address stays as it is', async () => {
    const addresses: string[] = [];
    const agent = await start(place, kind, async (question) => {
      addresses.push(await leaveBy(newVisitor(), question.url, codeIn(question)));
      return { action: 'accept' };
    });
    const { client, questions, completed, prefix } = agent;
    const more = kind === '2026' ? {} : { elicitationId: 'paying' };
    const result = textOf(await callTool(client, prefix + tool, { url: outside, more }));
    expect(result).toBe(kind === '2026' ? 'round accept with own state' : 'push accept');
    expect(addresses).toEqual([outside]);
    const [question] = questions;
    expect(questions).toHaveLength(1);
    expect(question?.url).toMatch(new RegExp(`^${server.url}/go/v1\\.[\\w.-]+$`));
    expect(question?.message).toMatch(/^Server "notes": Pay there\nIt leads to pay\.example\.\nThe page asks for/);
    expect(JSON.stringify(question)).not.toContain('own-1');
    if (kind === '2026') return;
    await until(() => completed.includes(prefix === '' ? 'paying' : 'notes/paying'));
    await until(async () => (await assentry.get(ids[0] ?? '')).status === 'accepted');
  });

  test('that no page can be put before reaches no client, and the server hears why', async () => {
    const { client, questions, warnings, prefix } = await start(place, kind);
    const call = (url: string, more = {}) =>
      callTool(client, prefix + tool, { url, more })
        .then(textOf)
        .catch((error: unknown) => String(error));
    const faults: [string, string, object?][] = [
      ['javascript:alert(1)', 'Use https'],
      ['http://pay.example/', 'Use https'],
      ['https://ada:secret@pay.example/', 'Remove the user name and password'],
      [`https://pay.example/${'a'.repeat(2048)}`, ''],
      [outside, 'Give the question one address', { URL: 'https://evil.example/' }],
      [outside, 'Give the question one address', { mode: 'form', url: undefined, Url: 'https://evil.example/' }],
      ['https://blocked.example/', 'Not there.'],
    ];
    for (const [url, fault, more] of faults) expect(await call(url, more)).toContain(fault);
    expect(questions).toEqual([]);
    expect(warnings.filter((sentence) => sentence.includes('is kept from the client'))).toHaveLength(faults.length);
  });
});

describe.each(drawnWays('pages'))('at %s, %s: a page of the same Assentry', (place, kind) => {
  const tool = kind === '2026' ? 'get_round' : 'get_pushed';
  const openPage = (name: string) =>
    asking.open({
      mode: 'url',
      audience: 'requester',
      url: outside,
      schema: undefined,
      session: 's',
      requester: { subject: `client:${name}`, client: { name, version: '1' } },
    });
  const sendTo = async (url: string): Promise<UrlQuestion> => {
    const { client, questions, prefix } = await start(place, kind);
    await callTool(client, prefix + tool, { url });
    expect(questions).toHaveLength(1);
    return questions[0] as UrlQuestion;
  };

  test('for the same client stays as it is, and no other page is put in front of it', async () => {
    const { url = '' } = await openPage('agent');
    const question = await sendTo(url);
    expect([question.url, question.message, ids]).toEqual([
      url,
      expect.stringMatching(/^Server "notes": Pay there$/),
      [],
    ]);
  });

  test('for another client gets a page in front of it', async () => {
    const { url = '' } = await openPage('another');
    const question = await sendTo(url);
    expect([question.url === url, question.message]).toEqual([
      false,
      expect.stringContaining('It leads to 127.0.0.1:'),
    ]);
  });
});

describe.each(drawnWays('errors').filter(([, kind]) => kind !== '2026'))(
  'at %s, %s: an error that names addresses',
  (place, kind) => {
    test('leads through the connect page, and again to the same page', async () => {
      const { client, completed, prefix } = await start(place, kind);
      const id = prefix === '' ? 'first' : 'notes/first';
      const required = async (): Promise<UrlQuestion> => {
        const call = callTool(client, `${prefix}get_required`, { url: outside, more: { elicitationId: 'first' } });
        const error = (await call.catch((reason: unknown) => reason)) as { code: number; data: object };
        expect(error.code).toBe(-32042);
        const { elicitations } = error.data as { elicitations: [UrlQuestion] };
        return elicitations[0];
      };
      const [question, again] = [await required(), await required()];
      expect(codeIn(again)).toBe(codeIn(question));
      expect(new Set(ids).size).toBe(1);
      expect(question.elicitationId).toBe(id);
      expect(await leaveBy(newVisitor(), again.url, codeIn(question))).toBe(outside);
      await callTool(client, `${prefix}get_finished`, { url: '', more: { elicitationId: 'first' } });
      await until(() => completed.includes(id));
      await until(async () => (await assentry.get(ids[0] ?? '')).status === 'accepted');
    });
  },
);

test.each(places)('at %s, 2026: the same question again has the same page', async (place) => {
  const { client, questions, prefix } = await start(place, '2026', () => ({ action: 'cancel' }));
  for (const _time of [1, 2]) await callTool(client, `${prefix}get_round`, { url: outside });
  const codes = questions.map(codeIn);
  expect(codes).toEqual([expect.stringMatching(/^\d/), codes[0]]);
  expect(new Set(ids).size).toBe(1);
});

test.each(places)(
  'at %s: a person who declines at the client ends the request; its page leads nowhere',
  async (place) => {
    const { client, questions, prefix } = await start(place, kinds[0], () => ({ action: 'decline' }));
    expect(textOf(await callTool(client, `${prefix}get_pushed`, { url: outside }))).toBe('push decline');
    await until(async () => (await assentry.get(ids[0] ?? '')).status === 'declined');
    const [{ url, message }] = questions as [UrlQuestion];
    const visitor = newVisitor();
    await visitor.get(url);
    expect((await visitor.send(url, { action: 'prove', code: codeIn({ message }) })).status).toBe(403);
  },
);

test.each(places)(
  'at %s: a question that the server cancels ends the request; its page leads nowhere',
  async (place) => {
    const { client, prefix } = await start(place, kinds[0], () => new Promise(() => {}));
    expect(textOf(await callTool(client, `${prefix}get_withdrawn`, { url: outside }))).toBe('withdrawn');
    await until(async () => (await assentry.get(ids[0] ?? '')).status === 'cancelled');
  },
);

test('an address in the body of a refused request leads through the connect page as well', async () => {
  const http = createHttp((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      const elicitations = [{ mode: 'url', url: outside, elicitationId: 'e', message: 'Pay there' }];
      const error = { code: -32042, message: 'First this.', data: { elicitations } };
      const isCall = body.includes('"tools/call"');
      const answer = isCall ? null : await post(pay.url, body, headers);
      response.writeHead(answer?.status ?? 400, {
        'content-type': answer?.headers.get('content-type') ?? 'application/json',
      });
      response.end((await answer?.text()) ?? JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  open.push(async () => http.close().closeAllConnections());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const gateway = await startGates({ upstreams: { notes: { url } }, clientFor: () => assentry });
  open.push(() => gateway.close());
  const answer = await callRound(gateway.addresses['notes'] ?? '');
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toContain(`${server.url}/go/`);
  expect(text).not.toContain('own-1');
});

describe('where people sign in', () => {
  const publicUrl = 'https://approvals.example.com';
  const origin = 'https://gate.example.com';
  const password = 'seven quiet otters paint';
  let far: TestServer;
  let base: string;
  let issuer: Issuer;
  let people: Record<'alice' | 'bob', User>;
  let client: AssentryClient;

  beforeAll(async () => {
    issuer = await startIssuer();
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    far = await startTestServer({ publicUrl, port });
    client = recordingClient(createClient({ url: base, apiKey: await far.newServerKey('notes') }));
    await far.applyPolicies([free]);
    const add = async (name: string): Promise<User> => {
      const email = `${name}@example.com`;
      const user = await far.addUser({ email, name, role: 'reviewer', password });
      await changeUser(far.engine, 'operator', user.id, { subjects: [`${issuer.issuer}#${name}`] });
      return user;
    };
    people = { alice: await add('alice'), bob: await add('bob') };
  });
  afterAll(async () => {
    await issuer?.close();
    await far?.stop();
  });

  async function signIn({ email }: User): Promise<Visitor> {
    const visitor = newVisitor();
    const { secret } = await signInWithPassword(far.engine, email, password);
    visitor.cookies.set('__Host-assentry', secret);
    return visitor;
  }

  /** What a client of 2026-07-28 gets for its call. */
  async function call(more: object, headers: Record<string, string> = {}): Promise<string> {
    const gateway = await startGates({
      upstreams: { notes: { url: pay.url } },
      clientFor: () => client,
      more: { ...more },
    });
    open.push(() => gateway.close());
    return (await callRound(`${gateway.url}/u/notes/mcp`, headers)).text();
  }

  const prove = async (visitor: Visitor, url: string): Promise<number> => {
    await visitor.get(url);
    return (await visitor.send(url, { action: 'prove' })).status;
  };

  test('another person who opens the page is refused, and the requester of the access token goes on', async () => {
    const token = await issuer.sign({ sub: 'alice', aud: `${origin}/u/notes/mcp` });
    const authorization = { issuer: issuer.issuer, jwks: `${issuer.url}/jwks` };
    const answer = await call({ url: origin, authorization }, { authorization: `Bearer ${token}` });
    const [, path = ''] = /"url":"https:\/\/approvals\.example\.com([^"]+)"/.exec(answer) ?? [];
    const url = base + path;
    const [alice, bob] = [await signIn(people.alice), await signIn(people.bob)];
    expect([await prove(bob, url), await prove(newVisitor(), url), await prove(alice, url)]).toEqual([403, 403, 303]);
    await alice.get(url);
    expect((await alice.send(url, { action: 'accept' })).headers.get('location')).toBe(outside);
    expect((await bob.get(url)).html).not.toContain('pay.example');
  });

  test('nothing passes for a client of whom no one is known', async () => {
    const answer = await call({});
    expect(answer).toContain('Let the gateway check who its clients are');
    expect(answer).not.toMatch(/pay\.example|approvals\.example/);
    await until(async () => (await client.get(ids[0] ?? '')).status === 'cancelled');
  });
});
