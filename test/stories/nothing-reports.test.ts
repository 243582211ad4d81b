import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hashSecret } from '#platform/crypto/random';
import { openToken } from '#access/tokens/rules';
import { routes } from '#platform/http/contract/openapi';
import { reportIds } from '#audit/reports/contract/report';
import { tokensIn } from '#platform/text/visible-text';
import type { MintedToken } from '#sdk/client/client';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { assentry } from '#sdk/mcp/assentry-v2';
import { applyPolicies } from '#policies/verbs/apply';
import { serveBothEras, type McpHost } from '../../examples/serve-both-eras.ts';
import { startFakeSlack, type FakeSlack } from '../notify/chat/fake-slack.ts';
import { startMcpServer, type McpPeer } from '../sdk/mcp/peers.ts';
import { openMailBox, type MailBox } from '../notify/mail-box.ts';
import { openPushBrowser, type PushBrowser } from '../notify/push-browser.ts';
import { openReceiver, reach, type Receiver } from '../notify/receiver.ts';
import { readEverything } from '../support/databases/table-contents.ts';
import { openDatabase } from '#platform/database/database';
import { drawFrom } from '../support/draw.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { spawnNode, type NodeProcess } from '../support/nodes/node-process.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';
import { leaveBy, newVisitor, type Visitor } from '../support/nodes/visitor.ts';
import { until } from '../support/poll.ts';
import { isNight } from '../support/runs.ts';

/** What of all that is read is tried by day; each night tries everything. */
const seed = 20_261_129;
const mostByDay = 2_000;

/** Milliseconds: no request ends by itself while everything is tried. */
const ttl = 3_600_000;
const metricsToken = 'a-token-for-metrics-of-enough-characters';
const completedBy = { subject: 'client:agent' };
const forged = { content: { payment: 'pi_forged' }, completedBy };

/** Who holds which texts of calls that wait for another service. */
const readers = [
  'the 2025 client that goes to addresses',
  'the 2025 client that gets error -32042',
  'the 2025 client that gets a link',
  'the 2026 client',
  'the browser of the requester',
  'the console of an administrator',
  'the other API key',
  'a webhook',
  'the mail',
  'the push service',
  'the chat',
  'the log of the server',
  'the metrics',
  'a copy of the database',
] as const;
type Reader = (typeof readers)[number];

interface Asked {
  url: string;
  message: string;
  elicitationId: string;
}

describe('what anyone can read of a call that waits for another service', () => {
  const texts = Object.fromEntries(readers.map((reader) => [reader, [] as string[]])) as Record<Reader, string[]>;
  const minted: MintedToken[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let server: TestServer;
  let node: NodeProcess;
  let admin: Browser;
  let phone: PushBrowser;
  let box: MailBox;
  let receiver: Receiver;
  let slack: FakeSlack;
  let first: McpPeer;
  let second: McpHost;
  let results: Promise<unknown>[];

  const register = (tools: Pick<AssentryTools, 'registerTool' | 'generateElicitationToken'>): void => {
    const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
    const inputSchema = z.object({ throwUrlRequired: z.boolean().default(false) });
    tools.registerTool('pay', { inputSchema }, async ({ throwUrlRequired }, { elicit, sessionId }) => {
      const token = await tools.generateElicitationToken(sessionId);
      minted.push(token);
      const url = `https://pay.example/session?reference=${token.token}`;
      const options = { url, elicitationId: token, completedBy: 'requester', throwUrlRequired, ttl } as const;
      const answer = await elicit('Pay 100 EUR', z.object({ payment: z.string() }), options);
      return say(answer.status === 'accept' ? `paid: ${answer.content.payment}` : answer.status);
    });
    tools.registerTool('sign_off', {}, async ({ approve, sessionId }) => {
      const token = await tools.generateElicitationToken(sessionId);
      minted.push(token);
      await approve(`Pay by the reference ${token.token}?`);
      return say('signed off');
    });
  };

  beforeAll(async () => {
    [box, receiver, slack] = [await openMailBox(), await openReceiver(), await startFakeSlack()];
    const ways = { smtp: box.settings, webhooks: reach, slack: slack.config };
    server = await startTestServer(ways);
    node = await spawnNode(server.databaseUrl, { logLevel: 'debug', metricsToken, ...ways });
    admin = (await openBrowser(server, 'admin')).at(node.url);
    const approver = (await openBrowser(server)).at(node.url);
    phone = await openPushBrowser(receiver, approver);
    await applyPolicies(server.engine, [
      'policy: signed\nmatch: { tool: sign_off }\nrequire: { chat: { to: "#ops" }, stages: [{ name: One, approvers: anyone }] }',
    ]);
    await server.webhooks.add(new URL('/hook', receiver.url).href);
    await server.webhooks.add(new URL('/chat', receiver.url).href, { format: 'chat' });
    const connection = { url: node.url, apiKey: await server.newServerKey('shop') };
    first = await startMcpServer((tools) => register(tools as never), connection);
    second = await serveBothEras(() => {
      const mcp = new McpServer({ name: 'bank', version: '1.0.0' });
      register(assentry(mcp, connection) as never);
      return mcp;
    }, 0);
  });
  afterAll(async () => {
    await Promise.all(closers.map((close) => close()));
    await first?.stop();
    await second?.close();
    await Promise.allSettled(results ?? []);
    await node?.stop();
    await server?.stop();
    await Promise.all([box?.stop(), receiver?.stop(), slack?.stop()]);
  });

  /** Everything that goes through this client's transport, in both directions. */
  function record(transport: Transport, reader: Reader): void {
    const { send, onmessage } = transport;
    transport.send = (message, ...more) => {
      texts[reader].push(JSON.stringify(message));
      return send.call(transport, message, ...more);
    };
    transport.onmessage = (message, extra) => {
      texts[reader].push(JSON.stringify(message));
      onmessage?.(message, extra);
    };
  }

  const info = { name: 'agent', version: '1' };
  const withUrls = { capabilities: { elicitation: { form: {}, url: {} } } };

  async function connectFirst(reader: Reader, capabilities: object = withUrls): Promise<Client> {
    const client = new Client(info, capabilities);
    const transport = new StreamableHTTPClientTransport(first.url);
    await client.connect(transport as Transport);
    record(transport as Transport, reader);
    closers.push(() => client.close());
    return client;
  }

  async function askEveryClient(): Promise<Asked> {
    const pay = (throwUrlRequired = false) => ({ name: 'pay', arguments: { throwUrlRequired } });
    const questions: Asked[] = [];
    const pushed = await connectFirst(readers[0]);
    pushed.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params as never);
      return { action: 'accept' };
    });
    const required = await connectFirst(readers[1]);
    const linked = await connectFirst(readers[2], { capabilities: {} });
    const modern = new V2Client(info, { ...withUrls, versionNegotiation: { mode: 'auto' } });
    const rounds: unknown[] = [];
    modern.setRequestHandler('elicitation/create', ({ params }) => {
      rounds.push(params);
      return { action: 'cancel' };
    });
    const transport = new V2Transport(new URL(second.url));
    await modern.connect(transport);
    record(transport as unknown as Transport, readers[3]);
    closers.push(() => modern.close());
    results = [pushed.callTool(pay())];
    results.push(required.callTool(pay(true)), linked.callTool({ name: 'sign_off', arguments: {} }));
    results.push(modern.callTool(pay()), linked.callTool(pay()));
    for (const result of results) result.catch(() => {}); // what becomes of the calls is not looked at
    await Promise.allSettled([results[1], results[4]]);
    return until(() => (rounds.length > 0 ? questions[0] : undefined));
  }

  /** As the requester, up to the outside address; every page, header, cookie and address is kept. */
  async function goThere({ url, message }: Asked): Promise<void> {
    const kept = texts['the browser of the requester'];
    const visitor = newVisitor();
    const keep = (shown: Awaited<ReturnType<Visitor['get']>>) => {
      kept.push(shown.html, JSON.stringify([...shown.headers]));
      return shown;
    };
    const keeping: Visitor = {
      ...visitor,
      get: async (address) => keep(await visitor.get(address)),
      send: async (address, ...more) => keep(await visitor.send(address, ...more)),
    };
    kept.push(url, await leaveBy(keeping, url, /code (\d{3} \d{3})/.exec(message)?.[1] ?? ''));
    await keeping.get(url);
    kept.push(...visitor.cookies.values());
    for (const path of ['/callback/x', '/', '/openapi.json', '/readyz'])
      kept.push(await (await fetch(node.url + path)).text());
  }

  /** Every address that the console reads, and that people export, about this request. */
  async function readConsole(id: string): Promise<void> {
    const kept = texts['the console of an administrator'];
    const look = await admin.call('POST', `/api/elicitations/${id}/look`, { reason: 'To see what it requests.' });
    kept.push(await look.text());
    const addresses = Object.values(routes)
      .filter(({ method, auth }) => method === 'get' && ['session', 'session-or-token', 'none'].includes(auth))
      .filter((route) => !('events' in route))
      .map(({ path }) => path.replace('{id}', id).replace(/\{(elicitation|request)\}/, id))
      .filter((path) => !path.includes('{'));
    expect(addresses.length).toBeGreaterThan(30);
    const exports = reportIds.flatMap((report) => [`/api/audit/reports/${report}`, `/api/audit/reports/${report}/csv`]);
    const searches = ['/api/elicitations?view=all', `/api/audit/entries?request=${id}`, '/api/audit/entries?tool=pay'];
    for (const path of [...addresses, ...exports, ...searches, '/log/tile/entries/000', '/log/tile/0/000'])
      kept.push(await (await admin.call('GET', path)).text());
    kept.push(admin.cookie);
    const key = await server.newServerKey('another');
    const other = { authorization: `Bearer ${key}` };
    for (const path of [`/v1/elicitations/${id}`, '/v1/identity', `/v1/elicitations/${id}/receipt`])
      texts['the other API key'].push(await (await fetch(node.url + path, { headers: other })).text());
  }

  async function readServices(): Promise<void> {
    await until(async () => slack.heard().includes('sign_off') && box.received.length > 0 && (await phone.read())[0]);
    await until(() => receiver.received.some(({ body }) => body.includes('sign_off')));
    texts['a webhook'].push(
      ...receiver.received.map(({ path, headers, body }) => JSON.stringify({ path, headers, body })),
    );
    texts['the mail'].push(...box.received.map(({ source }) => source));
    texts['the push service'].push(JSON.stringify(await phone.read()));
    texts['the chat'].push(slack.heard());
    texts['the log of the server'].push(node.log());
    const metrics = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    texts['the metrics'].push(await metrics.text());
    texts['a copy of the database'].push(await readEverything(server.databaseUrl));
  }

  /** What must stay as it is: outcomes, answers, visits and reports that were kept. */
  async function readState(): Promise<object[]> {
    const database = openDatabase(server.databaseUrl);
    const { rows } = await database.pool.query(
      `SELECT id, status, answer, (SELECT count(*) FROM callback_report) AS reports, (SELECT count(*) FROM page_proof) AS pages,
              (SELECT count(*) FROM vote) AS votes FROM elicitation ORDER BY id`,
    );
    await database.close();
    return rows;
  }

  test('reports nothing, at any door and in any spelling', async () => {
    const question = await askEveryClient();
    await goThere(question);
    const { nonce } = openToken(server.engine.ring, question.elicitationId, 'name', 0);
    const own = minted.find(({ token }) => token === question.elicitationId);
    const id = String((await server.engine.tokens.find(hashSecret(nonce)))?.elicitationId);
    await readConsole(id);
    await readServices();

    const silent = readers.filter((reader) => texts[reader].join('').length < 100);
    expect(silent).toEqual([]);
    const candidates = [...new Set(readers.flatMap((reader) => texts[reader].flatMap(stringsIn)))];
    const isRead = (text: string | undefined): boolean => candidates.includes(text ?? '');
    expect(minted.filter(({ token }) => isRead(token)).length).toBeGreaterThan(2);
    expect(minted.filter(({ callbackUrl }) => isRead(callbackUrl?.split('/').at(-1)))).toEqual([]);
    const before = await readState();

    const attempts = attemptsFor(candidates);
    const answers = new Map<string, string>();
    const left = attempts.values();
    const work = async (): Promise<void> => {
      for (const { text, spelling, door } of left) {
        const { status, outcome } = await doors[door](node.url, spellings[spelling](text), id);
        if (status < 400 || status >= 500) answers.set(`${door}, ${spelling}: ${status} ${outcome}`, text);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect({ seed, accepted: [...answers] }).toEqual({ seed, accepted: [] });
    expect({ seed, state: await readState() }).toEqual({ seed, state: before });

    const right = await post(own?.callbackUrl ?? '', { ...forged, content: { payment: 'pi_1' } });
    expect(right.status).toBe(200);
    expect(await readState()).toContainEqual(expect.objectContaining({ id, status: 'accepted' }));
  }, 1_800_000);
});

/** Each text that could be a secret: tokens in any spelling, words, and the parts of words. */
function stringsIn(text: string): string[] {
  const words = text.match(/[^\s"'<>{}\\,;()]{6,4096}/g) ?? [];
  return [...tokensIn(text), ...words.flatMap((word) => [word, ...word.split(/[/?&=#:]+/)])].filter(
    (word) => word.length >= 6 && word.length <= 4096,
  );
}

const hex = (text: string): string => Buffer.from(text).toString('hex');

/** How someone could write what they have read. */
const spellings = {
  plain: (text) => text,
  'percent-encoded': (text) => hex(text).replaceAll(/../g, '%$&'),
  'percent-encoded twice': (text) => encodeURIComponent(hex(text).replaceAll(/../g, '%$&')),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: hex,
  'from base64': (text) => Buffer.from(text, 'base64').toString('latin1') || text,
  'from percent-encoding': (text) => (/%[0-9a-f]{2}/i.test(text) ? unescape(text) : text),
  'in capitals': (text) => text.toUpperCase(),
  padded: (text) => `${text}=`,
  spaced: (text) => ` ${text} `,
  quoted: (text) => JSON.stringify(text),
} satisfies Record<string, (text: string) => string>;

type Answer = { status: number; outcome: string };
const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status === 303 ? 403 : response.status, // a page that leads to itself takes nothing
  outcome: (await response.text()).slice(0, 200),
});

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
  });
const sendForm = (url: string, proof: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action: 'accept', proof }).toString(),
    redirect: 'manual',
  });
/** As a header can have it. */
const printable = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 4_000) || 'x';

/** Where someone could report that a person is done at the other service. */
const doors = {
  callback: async (url, text) => answerOf(await post(`${url}/callback/${encodeURIComponent(text)}`, forged)),
  'callback, bare': async (url, text) =>
    answerOf(await post(`${url}/callback/${text.replaceAll(/[^\x21-\x7e]|[?#]/g, '')}`, forged)),
  'callback, as a name in the body': async (url, text, id) =>
    answerOf(await post(`${url}/callback/${id}`, { ...forged, token: text })),
  'answer by a key': async (url, text, id) =>
    answerOf(
      await post(
        `${url}/v1/elicitations/${id}/answer`,
        { action: 'accept' },
        { authorization: `Bearer ${printable(text)}` },
      ),
    ),
  'hosted page': async (url, text) =>
    answerOf(await sendForm(`${url}/e/${encodeURIComponent(text)}`, text.slice(0, 64))),
  'connect page': async (url, text) =>
    answerOf(await sendForm(`${url}/go/${encodeURIComponent(text)}`, text.slice(0, 64))),
} satisfies Record<string, (url: string, text: string, id: string) => Promise<Answer>>;

interface Attempt {
  text: string;
  spelling: keyof typeof spellings;
  door: keyof typeof doors;
}

/**
 * By night all of them, in each spelling at the doors of callbacks; by day the tokens as they are at each door, and of the
 * rest a sample.
 */
function attemptsFor(candidates: string[]): Attempt[] {
  const names = Object.keys(spellings) as (keyof typeof spellings)[];
  const ways = Object.keys(doors) as (keyof typeof doors)[];
  const isToken = (text: string): boolean => tokensIn(text).includes(text);
  const tokens = candidates.filter(isToken).slice(0, 60);
  const ofTokens = tokens.flatMap((text) => ways.map((door): Attempt => ({ text, spelling: 'plain', door })));
  const spelled = (door: keyof typeof doors) => (door.startsWith('callback') ? names : (['plain'] as const));
  if (isNight)
    return candidates.flatMap((text) =>
      ways.flatMap((door) => spelled(door).map((spelling): Attempt => ({ text, spelling, door }))),
    );
  const draw = drawFrom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T;
  const drawn = Array.from({ length: mostByDay }, (): Attempt => ({
    text: pick(candidates),
    spelling: pick(names),
    door: pick(ways),
  }));
  return [...ofTokens, ...drawn];
}
