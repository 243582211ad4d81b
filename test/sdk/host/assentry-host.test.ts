import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createClient, type AssentryClient } from '#sdk/client/client';
import {
  answerThroughAssentry,
  elicitationCapabilities,
  type HostOptions,
  type Refusal,
  type UrlConsent,
} from '#sdk/host/assentry-host';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { findRequest, listRequests } from '../mcp/peers.ts';
import { claimStored } from '../../support/nodes/asking.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { everyAnswer, everyField } from './fields.ts';
import { connectThirdParty, type ThirdParty } from './peers.ts';

const open: ThirdParty[] = [];
let refusals: Refusal[] = [];

const server = await startTestServer();
afterAll(async () => {
  await Promise.all(open.map((peer) => peer.close()));
  await server.stop();
});
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('night-shift') });

let servers = 0;
/** Each with a name of its own, for the rate is counted by name. */
async function connect(options: Partial<HostOptions> = {}): Promise<ThirdParty> {
  refusals = [];
  const peer = await connectThirdParty({
    serverName: `crm-${++servers}`,
    principal: { subject: 'nightly-agent', verified: true },
    client: assentry,
    onRefused: (refusal) => void refusals.push(refusal),
    ...options,
  });
  open.push(peer);
  return peer;
}

const confirm = (message: string) => ({
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});
const goTo = (message: string, url: string) => ({ mode: 'url', message, url, elicitationId: 'their-id' });

const decide = async (message: string, action: 'accept' | 'decline', content?: Record<string, unknown>) => {
  const { id } = await findRequest(approver, message);
  const response = await approver.vote(id, action, content);
  expect(response.ok).toBe(true);
  return id;
};

const stateOf = (id: string): Promise<string> => approver.show(id).then(({ status }) => status);
const closedRequest = (message: string): Promise<InboxItem> =>
  until(async () => (await listRequests(approver, 'done')).find((item) => item.message === message));

describe('a question of a third-party server', () => {
  test('reaches approvers under the name the host gave the server, and its answer goes back', async () => {
    const peer = await connect({ serverName: 'crm' });
    const answer = peer.ask({ mode: 'form', message: 'Every field?', requestedSchema: everyField });
    const { id } = await findRequest(approver, 'Every field?');
    const shown = await approver.show(id);
    expect(shown.tool).toMatchObject({ name: 'crm.elicitation.create', title: 'Question from crm' });
    expect(shown).toMatchObject({
      audience: 'approvers',
      mode: 'form',
      reason: null,
      message: 'Every field?',
      requester: { subject: 'nightly-agent', verified: true },
    });
    expect(shown.schema).toEqual(everyField);
    expect(JSON.parse(shown.arguments)).toEqual({
      server: 'crm',
      callsItself: { name: 'calls-itself-the-bank', version: '9.9.9' },
    });
    expect((await approver.vote(id, 'accept', everyAnswer)).ok).toBe(true);
    expect(await answer).toEqual({ action: 'accept', content: everyAnswer });
    expect(refusals).toEqual([]);
  });

  test('without a mode is a form', async () => {
    const { mode: _mode, ...params } = confirm('No mode?');
    const answer = (await connect()).ask(params);
    await decide('No mode?', 'accept', { ok: false });
    expect(await answer).toEqual({ action: 'accept', content: { ok: false } });
  });

  test('that is declined stays declined, and the words of the approver stay in the house', async () => {
    const answer = (await connect()).ask(confirm('Sell it?'));
    await decide('Sell it?', 'decline');
    expect(await answer).toEqual({ action: 'decline' });
  });

  test('that someone ends without deciding is a cancel', async () => {
    const answer = (await connect()).ask(confirm('End me?'));
    const { id } = await findRequest(approver, 'End me?');
    const { digest } = await approver.show(id);
    await approver.call('POST', `/api/elicitations/${id}/cancel`, { digest, comment: 'wrong desk' });
    expect(await answer).toEqual({ action: 'cancel' });
  });

  test('is released once, and its call is settled', async () => {
    const answer = (await connect()).ask(confirm('Once?'));
    const id = await decide('Once?', 'accept', { ok: true });
    await answer;
    const { toolCall } = await assentry.get(id);
    await expect(claimStored(assentry, toolCall, 'again')).rejects.toThrowProblem('already-executed');
  });

  test('asked twice is two questions: one yes is not two', async () => {
    const peer = await connect();
    const first = peer.ask(confirm('Twin?'));
    await findRequest(approver, 'Twin?');
    const answers = [first, peer.ask(confirm('Twin?'))];
    const twins = await until(async () => {
      const items = (await listRequests(approver)).filter(({ message }) => message === 'Twin?');
      return items.length === 2 && items;
    });
    await approver.vote(twins[0]?.id ?? '', 'accept', { ok: true });
    await approver.vote(twins[1]?.id ?? '', 'decline');
    const actions = (await Promise.all(answers)).map(({ action }) => action);
    expect(actions.sort()).toEqual(['accept', 'decline']);
  });

  test('gets no answer that breaks its schema', async () => {
    const answer = (await connect()).ask({ mode: 'form', message: 'Strict?', requestedSchema: everyField });
    const { id } = await findRequest(approver, 'Strict?');
    expect((await approver.vote(id, 'accept', { ...everyAnswer, count: 101 })).status).toBe(400);
    expect((await approver.vote(id, 'accept', { ...everyAnswer, email: 'ada@bücher.example' })).ok).toBe(true);
    expect(await answer).toMatchObject({ action: 'cancel' });
    expect(refusals).toMatchObject([{ reason: 'answer-not-fitting', elicitation: id, action: 'cancel' }]);
  });

  test('gets its own defaults for what was left empty, where the host wants that', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { a: { type: 'string', default: 'from the server' }, b: { type: 'integer', default: 3 } },
    };
    const answer = (await connect({ applyDefaults: true })).ask({
      mode: 'form',
      message: 'Defaults?',
      requestedSchema,
    });
    await decide('Defaults?', 'accept', { b: 5 });
    expect(await answer).toEqual({ action: 'accept', content: { a: 'from the server', b: 5 } });
  });
});

describe('a question that cannot be put to people', () => {
  test('such as one for a secret is declined, and the host hears why', async () => {
    const requestedSchema = { type: 'object', properties: { api_key: { type: 'string' } } };
    const peer = await connect();
    const answer = await peer.ask({ mode: 'form', message: 'Your key?', requestedSchema });
    expect(answer).toMatchObject({ action: 'decline', _meta: { 'assentry/reason': 'question-not-askable' } });
    expect(refusals).toMatchObject([{ mode: 'form', reason: 'question-not-askable', action: 'decline' }]);
    expect(refusals[0]?.errors?.[0]?.path).toEqual(['schema', 'properties', 'api_key']);
    expect((await listRequests(approver)).map(({ message }) => message)).not.toContain('Your key?');
  });

  test.each([
    ['a nested form', { message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } }],
    [
      'a pattern',
      { message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } },
    ],
    ['no schema', { message: 'm' }],
    ['an empty message', confirm('')],
    ['a message without end', confirm('x'.repeat(4001))],
    ['a schema without end', { message: 'm', requestedSchema: { type: 'object', description: 'x'.repeat(3_000_000) } }],
    ['no message', { requestedSchema: { type: 'object', properties: {} } }],
    ['nothing at all', undefined],
  ])('such as %s is declined by the handler itself', async (_, params) => {
    const { handleElicitation } = await connect();
    const answer = await handleElicitation({ params } as Parameters<typeof handleElicitation>[0]);
    expect(answer).toMatchObject({ action: 'decline', _meta: { 'assentry/reason': 'question-not-askable' } });
    expect(refusals).toHaveLength(1);
  });

  test('is declined even if the host fails to log it', async () => {
    const peer = await connect({ onRefused: () => Promise.reject(new TypeError('The log is full.')) });
    const requestedSchema = { type: 'object', properties: { password: { type: 'string' } } };
    expect(await peer.ask({ message: 'Log?', requestedSchema })).toMatchObject({ action: 'decline' });
  });
});

describe('an address', () => {
  const opened: { url: string; consent: UrlConsent }[] = [];
  const options = {
    allowedDomains: ['login.example.com', '*.trusted.org'],
    onOpenUrl: (url: string, consent: UrlConsent) => void opened.push({ url, consent }),
  };

  test('is opened once an approver has agreed to that very address, and not before', async () => {
    const peer = await connect({ ...options, serverName: 'crm-url' });
    const answer = peer.ask(goTo('Sign in?', 'https://login.example.com/a?b=c'));
    const { id } = await findRequest(approver, 'Sign in?');
    const shown = await approver.show(id);
    expect(shown).toMatchObject({ mode: 'url', url: 'https://login.example.com/a?b=c', schema: null });
    expect(JSON.parse(shown.arguments)).toMatchObject({ server: 'crm-url', elicitationId: 'their-id' });
    expect(opened).toEqual([]);
    expect((await approver.vote(id, 'accept')).ok).toBe(true);
    expect(await answer).toEqual({ action: 'accept' });
    const { closedAt } = await assentry.get(id);
    expect(opened.splice(0)).toMatchObject([
      {
        url: 'https://login.example.com/a?b=c',
        consent: { server: 'crm-url', elicitation: id, digest: shown.digest, decidedAt: closedAt },
      },
    ]);
  });

  test('that is declined is not opened', async () => {
    const answer = (await connect(options)).ask(goTo('Refuse me?', 'https://a.trusted.org/'));
    await decide('Refuse me?', 'decline');
    expect(await answer).toEqual({ action: 'decline' });
    expect(opened).toEqual([]);
  });

  test.each([
    'https://evil.example.com/',
    'https://login.example.com@evil.net/',
    'https://trusted.org/',
    'https://evil.net\\@login.example.com/',
    'https://LOGIN.example.com/',
    'javascript:alert(1)',
  ])('%s, which is not allowed, is declined without asking anyone', async (url) => {
    const peer = await connect(options);
    const answer = await peer.ask(goTo('Not there?', url));
    expect(answer).toMatchObject({ action: 'decline', _meta: { 'assentry/reason': 'url-not-allowed' } });
    expect(refusals).toMatchObject([{ mode: 'url', reason: 'url-not-allowed' }]);
    expect((await listRequests(approver)).map(({ message }) => message)).not.toContain('Not there?');
    expect(opened).toEqual([]);
  });

  test.each(['http://login.example.com/', 'https://user:pass@login.example.com/', 'ftp://login.example.com/'])(
    '%s, which people must not be sent to, is declined',
    async (url) => {
      const answer = await (await connect(options)).ask(goTo('Unsafe?', url));
      expect(answer).toMatchObject({ action: 'decline', _meta: { 'assentry/reason': 'question-not-askable' } });
      expect(opened).toEqual([]);
    },
  );

  test('that could not be opened is a cancel', async () => {
    const onOpenUrl = () => Promise.reject(new TypeError('No browser here.'));
    const answer = (await connect({ ...options, onOpenUrl })).ask(goTo('Fail me?', 'https://a.trusted.org/'));
    await decide('Fail me?', 'accept');
    expect(await answer).toMatchObject({ action: 'cancel' });
    expect(refusals).toMatchObject([{ reason: 'url-not-opened', detail: expect.stringContaining('No browser here.') }]);
  });

  test('is error -32602 if no domain was declared', async () => {
    const peer = await connect();
    const request = goTo('Undeclared?', 'https://login.example.com/');
    await expect(peer.ask(request)).rejects.toMatchObject({ code: -32602 });
    await expect(peer.handleElicitation({ params: request })).rejects.toMatchObject({ code: -32602 });
    expect(refusals).toEqual([]);
  });
});

test('a mode no one knows is error -32602', async () => {
  const { handleElicitation } = await connect();
  const request = handleElicitation({ params: { mode: 'constructor', message: 'Speak?' } });
  await expect(request).rejects.toMatchObject({ code: -32602 });
});

describe('a server that asks too often', () => {
  test('is declined from the eleventh question within a minute on, and others are not', async () => {
    const peer = await connect();
    const requestedSchema = { type: 'object', properties: { pin: { type: 'string' } } };
    for (let round = 0; round < 10; round += 1) await peer.ask({ message: 'Flood', requestedSchema });
    expect(new Set(refusals.map(({ reason }) => reason))).toEqual(new Set(['question-not-askable']));
    const eleventh = await peer.ask(confirm('Eleventh?'));
    expect(eleventh).toMatchObject({ action: 'decline', _meta: { 'assentry/reason': 'rate-limited' } });
    expect(refusals.at(-1)?.detail).toContain('10 questions a minute');
    const other = (await connect()).ask(confirm('Other?'));
    await decide('Other?', 'accept', { ok: true });
    expect(await other).toMatchObject({ action: 'accept' });
  });

  test('gains nothing from a new connection', async () => {
    const first = await connect({ serverName: 'comes-back', perMinute: 1 });
    await first.ask({ message: 'One', requestedSchema: { type: 'object', properties: { pin: { type: 'string' } } } });
    await first.close();
    const again = await connect({ serverName: 'comes-back', perMinute: 1 });
    expect(await again.ask(confirm('Two?'))).toMatchObject({ action: 'decline' });
    expect(refusals).toMatchObject([{ server: 'comes-back', reason: 'rate-limited' }]);
  });
});

describe('a question no one answers', () => {
  test.each([
    [undefined, 'cancel'],
    ['cancel', 'cancel'],
    ['decline', 'decline'],
  ] as const)('with whenUnanswered %s ends at its ttl as %s', async (whenUnanswered, action) => {
    const peer = await connect({ ttl: 1_000, whenUnanswered });
    const answer = await peer.ask(confirm('Anyone?'));
    expect(answer).toMatchObject({ action, _meta: { 'assentry/reason': 'unanswered' } });
    expect(refusals).toMatchObject([{ reason: 'unanswered', action }]);
    expect(await stateOf(refusals[0]?.elicitation ?? '')).toBe('expired');
  });

  test('because Assentry cannot be reached ends the same way', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', apiKey: 'asn_none', retries: 0 });
    const peer = await connect({ client, whenUnanswered: 'decline' });
    expect(await peer.ask(confirm('Reachable?'))).toMatchObject({ action: 'decline' });
    expect(refusals).toMatchObject([{ reason: 'unavailable', action: 'decline' }]);
  });

  test('because the claim of its answer fails is not an answer', async () => {
    const client: AssentryClient = { ...assentry, claim: async () => ({ state: 'running', since: 0 }) };
    const answer = (await connect({ client })).ask(confirm('Claimed elsewhere?'));
    await decide('Claimed elsewhere?', 'accept', { ok: true });
    expect(await answer).toMatchObject({ action: 'cancel' });
    expect(refusals).toMatchObject([{ reason: 'unavailable' }]);
  });
});

describe('a question that is taken back', () => {
  test('by a server that gave up is withdrawn from the approvers, the very first of a session too', async () => {
    const peer = await connect();
    for (const message of ['First gone?', 'Second gone?']) {
      const leaving = new AbortController();
      const answer = peer.ask(confirm(message), { signal: leaving.signal });
      const { id } = await findRequest(approver, message);
      leaving.abort('No longer needed.');
      await expect(answer).rejects.toThrow('No longer needed.');
      expect((await closedRequest(message)).id).toBe(id);
      expect(await approver.show(id)).toMatchObject({ status: 'cancelled', cause: 'caller_gone' });
      await until(() => refusals.some(({ elicitation }) => elicitation === id));
    }
    expect(refusals.map(({ reason }) => reason)).toEqual(['withdrawn', 'withdrawn']);
  });

  test('by a connection that closed is withdrawn', async () => {
    const peer = await connect();
    const answer = peer.ask(confirm('Hang up?'));
    const failed = expect(answer).rejects.toThrow('Connection closed');
    await findRequest(approver, 'Hang up?');
    await peer.close();
    await failed;
    expect(await closedRequest('Hang up?')).toMatchObject({ status: 'cancelled' });
  });

  test('by a host that stops is withdrawn, and the next is not even asked', async () => {
    const stopping = new AbortController();
    const peer = await connect({ signal: stopping.signal });
    const answer = peer.ask(confirm('Stop?'));
    const { id } = await findRequest(approver, 'Stop?');
    stopping.abort();
    expect(await answer).toMatchObject({ action: 'cancel', _meta: { 'assentry/reason': 'withdrawn' } });
    expect(await stateOf(id)).toBe('cancelled');
    expect(await peer.ask(confirm('After the stop?'))).toMatchObject({ action: 'cancel' });
    expect((await listRequests(approver, 'done')).map(({ message }) => message)).not.toContain('After the stop?');
  });

  test('while its answer is claimed opens no address', async () => {
    const stopping = new AbortController();
    const opened: string[] = [];
    const client: AssentryClient = {
      ...assentry,
      async claim(...claim) {
        stopping.abort();
        return assentry.claim(...claim);
      },
    };
    const onOpenUrl = (url: string) => void opened.push(url);
    const peer = await connect({ client, signal: stopping.signal, allowedDomains: ['trusted.org'], onOpenUrl });
    const answer = peer.ask(goTo('Open it late?', 'https://trusted.org/'));
    await decide('Open it late?', 'accept');
    expect(await answer).toMatchObject({ action: 'cancel', _meta: { 'assentry/reason': 'withdrawn' } });
    expect(opened).toEqual([]);
  });

  test('leaves other messages of the transport alone', async () => {
    const peer = await connect();
    const answer = peer.ask(confirm('Meanwhile?'));
    await findRequest(approver, 'Meanwhile?');
    expect((await peer.client.listTools()).tools.map(({ name }) => name)).toEqual(['noop']);
    await decide('Meanwhile?', 'accept', { ok: true });
    expect(await answer).toMatchObject({ action: 'accept' });
  });
});

describe('capabilities', () => {
  test('declare forms, and addresses if some are allowed', () => {
    expect(elicitationCapabilities()).toEqual({ elicitation: { form: {} } });
    expect(elicitationCapabilities({ allowedDomains: [] })).toEqual({ elicitation: { form: {} } });
    const withUrl = { elicitation: { form: {}, url: {} } };
    expect(elicitationCapabilities({ allowedDomains: ['example.com'] })).toEqual(withUrl);
  });

  test('of a client that connected without them cannot be made up afterwards', async () => {
    const mcp = new McpServer({ name: 'late', version: '1.0.0' });
    const client = new Client({ name: 'host', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([mcp.connect(far), client.connect(near)]);
    const late = () => answerThroughAssentry(client, { serverName: 'late', principal: 'p', client: assentry });
    expect(late).toThrowProblem('config-invalid');
    await client.close();
  });

  test('that a client declared itself are enough after connect', async () => {
    const mcp = new McpServer({ name: 'early', version: '1.0.0' });
    const client = new Client({ name: 'host', version: '1.0.0' }, { capabilities: elicitationCapabilities() });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([mcp.connect(far), client.connect(near)]);
    answerThroughAssentry(client, { serverName: 'early', principal: 'p', client: assentry });
    const answer = mcp.server.elicitInput({
      message: 'Declared early?',
      requestedSchema: { type: 'object', properties: {} },
    });
    await decide('Declared early?', 'accept', {});
    expect(await answer).toEqual({ action: 'accept', content: {} });
    await client.close();
  });
});

test.each([
  ['a blank server name', { serverName: ' ' }],
  ['a server name without end', { serverName: 'x'.repeat(101) }],
  ['no principal', { principal: '' }],
  ['a ttl of no time', { ttl: 0 }],
  ['half a question a minute', { perMinute: 0.5 }],
  ['a domain that is none', { allowedDomains: ['https://example.com'] }],
])('%s stops the start', (_, wrong) => {
  const options = { serverName: 'crm', principal: 'p', client: assentry, ...wrong };
  expect(() => answerThroughAssentry(new Client({ name: 'h', version: '1' }), options)).toThrowProblem(
    'config-invalid',
  );
});
