import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { pruneSecrets } from '#connect/secrets/verbs';
import { listAllCredentials, removeCredential } from '#connect/credentials/verbs';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { pendingOf, textOf } from '../sdk/mcp/peers.ts';
import { dumpDatabase } from '../support/databases/database-dump.ts';
import { query } from '../support/databases/embedded.ts';
import { json } from '../support/json.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { letIn, newVisitor, type Shown } from '../support/nodes/visitor.ts';
import { type Asked, codeIn, createAgents, type Connects, serveBoth, withUrl } from './agents.ts';

let ahead = 0;
const now = () => Date.now() + ahead;
const server = await startTestServer({ now });
const apiKey = await server.newServerKey();
const asking = askingAt(server.url, apiKey);

/** Everyone who calls is this person. */
let subject = '';
/** What the tools got to use. */
let texts: string[] = [];
beforeEach(() => {
  [subject, texts, ahead] = [randomUUID(), [], 0];
});

const inputSchema = { keep: z.enum(['call', 'until-removed']), fails: z.boolean(), throwUrlRequired: z.boolean() };
const register = (tools: AssentryTools): void =>
  void tools.registerTool('models', { inputSchema }, async ({ keep, fails, throwUrlRequired }, { secret }) => {
    const key = await secret('OpenAI key', { keep, throwUrlRequired });
    texts.push(await key.use((text) => text));
    if (fails) await key.refuse();
    return { content: [{ type: 'text', text: `${String(key)} ${JSON.stringify({ key })}` }] };
  });
const principal = () => ({ subject, issuer: 'https://id.example.com', verified: true });
const options = { url: server.url, apiKey, principal };
const [patient, hasty] = [
  await serveBoth(register, options),
  await serveBoth(register, { ...options, holdTimeoutMs: 150 }),
];

type Args = [keep: 'call' | 'until-removed', more?: { fails?: boolean; throwUrlRequired?: boolean }];
const { connectFirst, connectSecond, close } = createAgents<Args>(
  (keep, { fails = false, throwUrlRequired = false } = {}) => ({
    name: 'models',
    arguments: { keep, fails, throwUrlRequired },
  }),
);
afterAll(async () => {
  await close();
  for (const house of [patient, hasty]) await house.stop();
  await server.stop();
});

interface Kind {
  connect: Connects<Args>;
  /** The call waits for the person, or is repeated after them. */
  way: 'wait' | 'repeat';
}

const kinds: Record<string, Kind> = {
  '2026-07-28': { connect: connectSecond('auto'), way: 'wait' },
  '2025-11-25 on the second SDK': { connect: connectSecond('legacy'), way: 'wait' },
  '2025 on the first SDK, held': { connect: connectFirst(withUrl), way: 'wait' },
  '2025 on the first SDK': { connect: connectFirst(withUrl), way: 'repeat' },
  'forms alone': { connect: connectFirst({ elicitation: { form: {} } }), way: 'repeat' },
  'no elicitation': { connect: connectFirst({}), way: 'repeat' },
};

/** What the pages of this test showed. */
const pages: string[] = [];

async function enter({ url, message }: Asked, text: string): Promise<Shown> {
  const visitor = newVisitor();
  pages.push((await letIn(visitor, url, codeIn(message))).html);
  const answer = await visitor.send(url, { action: 'accept', 'field.secret': text });
  pages.push(answer.html);
  return answer;
}

/** The result of a call during which the person enters this. */
async function callAs(name: string, text: string, ...args: Args): Promise<CallToolResult> {
  const { connect, way } = kinds[name] as Kind;
  const entering: Promise<Shown>[] = [];
  const agent = await (way === 'wait'
    ? connect(patient, (request) => void entering.push(enter(request, text)))
    : connect(hasty, () => {}));
  const result = await agent.callTool(...args);
  if (way === 'repeat' && texts.length === 0) {
    const { url = '' } = pendingOf(result) as unknown as { url?: string };
    expect((await enter(agent.requests[0] ?? { url, message: textOf(result) }, text)).status).toBe(200);
    return agent.callTool(...args);
  }
  for (const answer of await Promise.all(entering)) expect(answer.status).toBe(200);
  return result;
}

describe.each(Object.keys(kinds))('with %s', (name) => {
  test('the person enters it once, and the tool uses it until they remove it', async () => {
    expect(textOf(await callAs(name, 'sk-first', 'until-removed'))).toMatch(/^crd_\S+ \{"key":"crd_/);
    await untilAllSettled();
    texts = [];
    expect(textOf(await callAs(name, 'never asked', 'until-removed'))).toMatch(/^crd_/);
    expect(texts).toEqual(['sk-first']);
  });

  test('one of a call ends with it', async () => {
    for (const text of ['sk-one', 'sk-two']) {
      texts = [];
      await callAs(name, text, 'call');
      await untilAllSettled();
      expect(texts).toEqual([text]);
    }
  });
});

describe('one that does not work', () => {
  test('is given to no one, and the next call asks for another', async () => {
    await callAs('2025 on the first SDK, held', 'sk-wrong', 'until-removed', { fails: true });
    await untilAllSettled();
    await callAs('2025 on the first SDK, held', 'sk-right', 'until-removed');
    expect(texts).toEqual(['sk-wrong', 'sk-right']);
  });
});

const expects = { kind: 'secret', label: 'Key', keep: 'until-removed' };
type Opened = { id: string; url: string; code: string; toolCall: string; content?: { secret: string } };

/** Asks as this person over HTTP. */
const ask = (parts: object = {}) =>
  asking.open({
    mode: 'url',
    message: 'Enter it.',
    requester: { subject },
    expects,
    call: randomUUID(),
    schema: undefined,
    audience: undefined,
    ...parts,
  }) as unknown as Promise<Opened>;

/** The id of a secret that they have entered. */
async function entered(text: string, parts: object = {}): Promise<Opened & { secret: string }> {
  const request = await ask(parts);
  expect((await enter({ url: request.url, message: `code ${showCode(request.code)}` }, text)).status).toBe(200);
  const { content } = await json<Opened>(asking.call('GET', `/v1/elicitations/${request.id}`));
  expect(Object.keys(content ?? {})).toEqual(['secret']);
  return { ...request, secret: content?.secret ?? '' };
}

const showCode = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

const read = (id: string, person: object = { subject }, by = asking) =>
  by.call('POST', `/v1/secrets/${id}/text`, { requester: person });

/** The entries of its removal. */
const removals = async (id: string): Promise<number> =>
  Number(
    await query(
      server.databaseUrl,
      `SELECT count(*)::int FROM audit_entry WHERE type = 'credential.removed' AND convert_from(body, 'UTF8') LIKE '%"${id}"%'`,
    ),
  );

describe('is given', () => {
  test('to its server and its person alone', async () => {
    const { secret } = await entered('sk-mine');
    const other = askingAt(server.url, await server.newServerKey('others'));
    expect(await json(read(secret))).toEqual({ secret: 'sk-mine', lasts: 900 });
    expect((await read(secret, { subject: 'someone else' })).status).toBe(404);
    expect((await read(secret, { subject }, other)).status).toBe(404);
    const find = (label: string, by = asking) =>
      json(by.call('POST', '/v1/secrets', { label, requester: { subject } }));
    expect(await find('Key')).toEqual({ state: 'stored', id: secret });
    expect([await find('Other key'), await find('Key', other)]).toEqual([{ state: 'missing' }, { state: 'missing' }]);
  });

  test('as no connection, and no connection as a secret', async () => {
    const { secret } = await entered('sk-mine');
    const asConnection = await asking.call('POST', `/v1/connections/${secret}/token`, { requester: { subject } });
    expect(asConnection.status).toBe(404);
  });

  test('to no one once its call has ended, or a week is over', async () => {
    const keep = { expects: { ...expects, keep: 'call' } };
    const [first, second] = [await entered('sk-call', keep), await entered('sk-other-call', keep)];
    await pruneSecrets(server.engine); // those of other tests
    expect((await asking.claim(first.toolCall, 'a', { requester: { subject } })).status).toBe(200);
    await asking.call('POST', `/v1/tool-calls/${first.toolCall}/complete`, { attempt: 'a', delivered: true });
    expect((await read(first.secret)).status).toBe(404);
    const nodes = await Promise.all([pruneSecrets(server.engine), pruneSecrets(server.engine)]);
    expect(nodes.toSorted()).toEqual([0, 1]);
    expect(await removals(first.secret)).toBe(1);
    expect([(await read(first.secret)).status, (await read(second.secret)).status]).toEqual([404, 200]);
    ahead = 8 * 86_400_000;
    expect(await pruneSecrets(server.engine)).toBe(1);
    expect((await read(second.secret)).status).toBe(404);
  });

  test('not after its person has removed it; lists name it and never show it', async () => {
    const { secret } = await entered('sk-listed');
    const listed = (await listAllCredentials(server.engine)).find(({ id }) => id === secret);
    expect(listed).toMatchObject({ server: 'payments', label: 'Key', connection: null });
    expect(JSON.stringify(listed)).not.toContain('sk-listed');
    await removeCredential(server.engine, 'operator', secret as never);
    expect((await read(secret)).status).toBe(404);
    expect(await server.engine.connections.withdrawals()).toEqual([]);
  });
});

describe('the page', () => {
  test('names it and its server, hides what is typed, and takes nothing empty', async () => {
    const request = await ask();
    const visitor = newVisitor();
    const { html } = await letIn(visitor, request.url, request.code);
    expect(html).toMatch(/<h1>Enter Key for payments<\/h1>/);
    expect(html).toMatch(/<input [^>]*name="field\.secret"[^>]*type="password"/);
    expect(html).toContain('Neither your MCP client nor its model sees it.');
    expect((await visitor.send(request.url, { action: 'accept', 'field.secret': '' })).status).toBe(400);
    const { status } = await json<{ status: string }>(asking.call('GET', `/v1/elicitations/${request.id}`));
    expect(status).toBe('open');
  });

  const shownFor = async (label: string, by = asking): Promise<string> => {
    const parts = { expects: { ...expects, label }, mode: 'url', message: 'Enter it.', requester: { subject } };
    const request = (await by.open({ ...parts, schema: undefined, audience: undefined })) as unknown as Opened;
    return (await letIn(newVisitor(), request.url, request.code)).html;
  };

  test.each(['GitHub password', 'g1thub', 'GіtHub token', 'Your Git-Hub login', 'DocuSign', 'M1crosoft'])(
    'warns that %s is only what the server calls it',
    async (label) => {
      expect(await shownFor(label)).toMatch(/payments chose this name.* goes to payments, not to \w/);
    },
  );

  test('warns of a name under which another server has a secret, and does not name that server', async () => {
    expect(await shownFor('Key of the warehouse')).not.toContain('class="notice"');
    await entered('sk-warehouse', { expects: { ...expects, label: 'Key of the warehouse' } });
    expect(await shownFor('Key of the warehouse')).not.toContain('class="notice"');
    const other = askingAt(server.url, await server.newServerKey('imitator'));
    const html = await shownFor('Key of the warehouse', other);
    expect(html).toContain('Another server has asked for a secret of this name. This one is imitator.');
    expect(html).not.toContain('payments');
  });

  test('takes a no', async () => {
    const request = await ask();
    const visitor = newVisitor();
    await letIn(visitor, request.url, request.code);
    expect((await visitor.send(request.url, { action: 'decline' })).status).toBe(200);
    expect(await json(asking.call('GET', `/v1/elicitations/${request.id}`))).toMatchObject({ status: 'declined' });
  });
});

test('what was entered is in no page, entry or column', async () => {
  await entered('sk-canary-6b1f');
  const dump = await dumpDatabase(server.databaseUrl);
  expect([...pages, JSON.stringify(dump)].filter((text) => text.includes('sk-canary-6b1f'))).toEqual([]);
});
