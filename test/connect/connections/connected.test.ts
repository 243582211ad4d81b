import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConnectionToken } from '#connect/connections/contract';
import { withdrawConnections } from '#connect/connections/verbs/tokens';
import type { ConnectClient } from '#connect/providers/provider';
import { listAllCredentials, removeCredential } from '#connect/credentials/verbs';
import { json } from '../../support/json.ts';
import { letIn, newVisitor, type Shown, type Visitor } from '../../support/nodes/visitor.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { expects, openHouse, tokenPattern } from './house.ts';

let ahead = 0;
const now = () => Date.now() + ahead;
const provider = await startFakeProvider({ now });
const house = await openHouse(provider, { now });
afterAll(async () => {
  await house.server.stop();
  await provider.close();
});
let round = 0;
let requester = { subject: '' };
beforeEach(() => {
  requester = { subject: `client:test-${(round += 1)}` };
  ahead = 0;
  provider.declines(false);
  provider.isDown(false);
  provider.grants(null);
  provider.expiresIn(28_800);
  provider.saysIssuer(provider.url);
});

async function connect(visitor: Visitor = newVisitor()) {
  const question = await house.ask(requester);
  const back = await house.consent(await house.leave(visitor, question));
  expect((await visitor.get(back)).status).toBe(303);
  const answer = await house.find(requester);
  if (answer.state !== 'stored') throw new TypeError(`not connected: ${answer.state}`);
  return { question, back, visitor, id: answer.connection.id };
}

const use = (id: string) => house.asking.call('POST', `/v1/connections/${id}/token`, { requester });
const tokenOf = async (id: string): Promise<string> => (await json<ConnectionToken>(use(id))).token;

test('names what will be connected, and records it once the person has agreed there', async () => {
  const [question, visitor] = [await house.ask(requester), newVisitor()];
  expect(await house.find(requester)).toEqual({ state: 'missing' });
  const address = await house.leave(visitor, question);
  const page = await visitor.get(question.url);
  expect(page.html).toContain('payments wants to use your Fake account');
  expect(page.html).toContain('<code>repo</code>');
  const asks = new URL(address).searchParams;
  expect(asks.get('redirect_uri')).toBe(`${house.url}/providers/fake/return`);
  expect(asks.get('code_challenge_method')).toBe('S256');
  const returned = await visitor.get(await house.consent(address));
  expect(returned.status).toBe(303);
  const end = await visitor.get(new URL(returned.headers.get('location') ?? '', house.url).href);
  expect([end.status, headingOf(end)]).toEqual([200, 'Fake is connected as octo-ada for payments']);
  const answer = await house.find(requester);
  const { status, content } = await house.state(question.id);
  expect(status).toBe('accepted');
  expect(answer).toEqual({
    state: 'stored',
    connection: {
      id: content?.['connection'],
      provider: 'fake',
      account: { id: '583231', label: 'octo-ada' },
      scopes: ['repo'],
      hosts: [new URL(provider.url).host],
    },
  });
  const types = (await house.history(question.id)).map(({ type, provider: at }) => [type, at]);
  expect(types.at(-1)).toEqual(['elicitation.answered', 'fake']);
  const listed = await listAllCredentials(house.server.engine);
  expect(listed.find(({ id }) => id === content?.['connection'])?.connection?.account).toBe('octo-ada');
  expect(JSON.stringify([page.html, end.html, answer, content, listed])).not.toMatch(tokenPattern);
});

const headingOf = ({ html }: Shown): string => /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? '';

describe('the page at the end', () => {
  /** Where a visitor ends who opens the link once more. */
  const reopen = async (visitor: Visitor, url: string): Promise<Shown> => {
    const answer = await visitor.get(url);
    const location = answer.headers.get('location');
    return location === null ? answer : visitor.get(new URL(location, house.url).href);
  };

  test('says what is connected now, in the browser that proved to be the person’s alone', async () => {
    const { question, visitor, id } = await connect();
    expect(headingOf(await reopen(visitor, question.url))).toBe('Fake is connected as octo-ada for payments');
    expect((await newVisitor().get(question.url)).html).not.toContain('octo-ada');
    expect((await visitor.send(question.url, { action: 'accept' })).status).not.toBe(200);
    await house.asking.call('POST', `/v1/connections/${id}/refused`, { requester });
    expect(headingOf(await reopen(visitor, question.url))).toBe('Fake is no longer connected for payments');
    await removeCredential(house.server.engine, 'operator', id as never);
    expect(headingOf(await reopen(visitor, question.url))).toBe('Fake is no longer connected for payments');
  });

  test('says that nothing is connected, if the person declined there', async () => {
    provider.declines();
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    await visitor.get(await house.consent(await house.leave(visitor, question)));
    expect(headingOf(await reopen(visitor, question.url))).toBe('Fake isn’t connected');
  });
});

describe('another open question of the same person', () => {
  const ways = () => provider.calls.get('/authorize') ?? 0;

  test('is answered without a way to the provider, once they have proven in its own page who they are', async () => {
    const other = await house.ask(requester, { arguments: { of: 2 } });
    const { id } = await connect();
    const before = ways();
    const visitor = newVisitor();
    await visitor.get(other.url);
    expect((await visitor.send(other.url, { action: 'accept' })).headers.get('location')).toMatch(/\/go\//);
    expect((await house.state(other.id)).status).toBe('open');
    const location = await house.leave(visitor, other);
    expect(location).toMatch(/^\/e\//);
    expect(headingOf(await visitor.get(`${house.url}${location}`))).toBe('Fake is connected as octo-ada for payments');
    const { status, content } = await house.state(other.id);
    expect([status, content, ways()]).toEqual(['accepted', { connection: id, account: 'octo-ada' }, before]);
  });

  test.each([
    ['expects more', { expects: { ...expects, scopes: ['repo', 'read:user'] } }, async () => {}],
    [
      'comes after the provider refused the token',
      {},
      (id: string) => house.asking.call('POST', `/v1/connections/${id}/refused`, { requester }),
    ],
    [
      'comes after it was disconnected',
      {},
      (id: string) => removeCredential(house.server.engine, 'operator', id as never),
    ],
  ])('leads to the provider if it %s', async (_name, parts, prepare) => {
    const other = await house.ask(requester, { arguments: { of: 2 }, ...parts });
    const { id } = await connect();
    await prepare(id);
    expect(await house.leave(newVisitor(), other)).toContain(`${provider.url}/authorize`);
    expect((await house.state(other.id)).status).toBe('open');
  });
});

test('sets the cookie of the way once the person has agreed, and not before', async () => {
  const [question, visitor] = [await house.ask(requester), newVisitor()];
  await letIn(visitor, question.url, question.code);
  const before = [...visitor.cookies.keys()];
  expect(before).toHaveLength(1); // that of the page
  const sent = await visitor.send(question.url, { action: 'accept' });
  const [cookie = '', ...more] = sent.headers.getSetCookie();
  expect(more).toEqual([]);
  expect(before).not.toContain(cookie.split('=')[0]);
  expect(cookie).toMatch(/; Max-Age=600; .*; HttpOnly; SameSite=Lax$/);
});

test('gives the token to the server that asks alone, and only while it is connected', async () => {
  const { id } = await connect();
  const token = await tokenOf(id);
  expect(provider.isLive(token)).toBe(true);
  const other = await house.asking.call('POST', `/v1/connections/${id}/token`, { requester: { subject: 'client:x' } });
  expect(other.status).toBe(404);
  expect((await house.asking.call('POST', `/v1/connections/${id}/refused`, { requester })).status).toBe(204);
  expect(await house.find(requester)).toEqual({ state: 'refused' });
  expect(await json(use(id))).toMatchObject({ code: 'connection-declined' });
});

test('a wider wish asks again, and the new connection takes the place of the old one', async () => {
  const { id } = await connect();
  expect(await house.find(requester, { scopes: ['repo', 'read:user'] })).toEqual({ state: 'missing' });
  const [question, visitor] = [
    await house.ask(requester, { expects: { ...expects, scopes: ['repo', 'read:user'] } }),
    newVisitor(),
  ];
  await visitor.get(await house.consent(await house.leave(visitor, question)));
  expect(await house.find(requester, { scopes: ['repo', 'read:user'] })).toMatchObject({ state: 'stored' });
  expect((await use(id)).status).toBe(404);
});

describe('redeems nothing', () => {
  test('for another browser, to which the provider’s address was forwarded; the first goes on', async () => {
    const [question, mallory, alice] = [await house.ask(requester), newVisitor(), newVisitor()];
    const back = await house.consent(await house.leave(mallory, question));
    const refused = await alice.get(back);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('another browser');
    expect(provider.calls.get('/token') ?? 0).toBe(tokenCalls());
    expect(await house.find(requester)).toEqual({ state: 'missing' });
    expect((await mallory.get(back)).status).toBe(303);
    expect(await house.find(requester)).toMatchObject({ state: 'stored' });
  });

  test('for a browser that has only the cookie of the way, or only that of the page', async () => {
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    const back = await house.consent(await house.leave(visitor, question));
    for (const name of visitor.cookies.keys()) {
      const other = newVisitor();
      for (const [key, value] of visitor.cookies) if (key !== name) other.cookies.set(key, value);
      expect((await other.get(back)).status).toBe(403);
    }
    expect((await visitor.get(back)).status).toBe(303);
  });

  test('twice, if the browser comes back five times at once', async () => {
    const [question, visitor, before] = [await house.ask(requester), newVisitor(), tokenCalls()];
    const back = await house.consent(await house.leave(visitor, question));
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.get(back)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400, 400]);
    expect(tokenCalls() - before).toBe(1);
  });

  test('for a browser with another secret in the cookie of the way, and does not use the way up', async () => {
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    const before = new Set(visitor.cookies.keys());
    const back = await house.consent(await house.leave(visitor, question));
    const way = [...visitor.cookies.keys()].findLast((name) => !before.has(name)) ?? '';
    const secret = visitor.cookies.get(way) ?? '';
    visitor.cookies.set(way, 'A'.repeat(43));
    expect((await visitor.get(back)).status).toBe(403);
    visitor.cookies.set(way, secret);
    expect((await visitor.get(back)).status).toBe(303);
  });

  test.each([
    ['a second time', (back: string) => back, 400],
    ['another state', (back: string) => back.replace(/state=./, 'state=-'), 400],
    ['no state', (back: string) => back.replace(/state=[^&]*/, ''), 400],
    ['another provider’s address', (back: string) => back.replace('/fake/', '/other/'), 400],
  ])('%s', async (name, change, status) => {
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    const back = await house.consent(await house.leave(visitor, question));
    if (name === 'a second time') expect((await visitor.get(back)).status).toBe(303);
    expect((await visitor.get(change(back))).status).toBe(status);
    expect((await house.find(requester)).state).toBe(name === 'a second time' ? 'stored' : 'missing');
  });

  test.each([
    ['wrong', 'https://evil.example.com'],
    ['missing', null],
  ])('with a %s issuer; the person may go again', async (_name, iss) => {
    provider.saysIssuer(iss);
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    const before = tokenCalls();
    const failed = await visitor.get(await house.consent(await house.leave(visitor, question)));
    expect(failed.status).toBe(502);
    expect(tokenCalls()).toBe(before);
    provider.saysIssuer(provider.url);
    expect((await house.state(question.id)).status).toBe('open');
    await visitor.get(question.url);
    expect((await visitor.get(await house.consent(await house.goOn(visitor, question)))).status).toBe(303);
    expect((await house.find(requester)).state).toBe('stored');
  });

  test('after ten minutes', async () => {
    const [question, visitor] = [await house.ask(requester, { ttl: 3_600_000 }), newVisitor()];
    const back = await house.consent(await house.leave(visitor, question));
    ahead = 600_001;
    expect((await visitor.get(back)).status).toBe(400);
    expect((await house.find(requester)).state).toBe('missing');
  });

  test('once the page was taken over by another browser', async () => {
    const [question, first, second] = [await house.ask(requester), newVisitor(), newVisitor()];
    const back = await house.consent(await house.leave(first, question));
    const other = await house.consent(await house.leave(second, question));
    expect((await first.get(back)).status).toBe(403);
    expect((await second.get(other)).status).toBe(303);
  });

  test('once the request has ended', async () => {
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    const back = await house.consent(await house.leave(visitor, question));
    await house.asking.call('POST', `/v1/elicitations/${question.id}/cancel`, {});
    expect((await visitor.get(back)).status).toBe(400);
    expect((await house.find(requester)).state).toBe('missing');
  });
});

const tokenCalls = (): number => provider.calls.get('/token') ?? 0;

describe('resumes the call with a decline', () => {
  test.each([
    ['if the person declines there', () => provider.declines()],
    ['if less is granted than was wanted', () => provider.grants(['read:user'])],
  ])('%s', async (_name, prepare) => {
    prepare();
    const [question, visitor] = [await house.ask(requester), newVisitor()];
    await visitor.get(await house.consent(await house.leave(visitor, question)));
    expect((await house.state(question.id)).status).toBe('declined');
    expect((await house.find(requester)).state).toBe('missing');
  });
});

test('says that the provider does not answer, and lets the person go again', async () => {
  const [question, visitor] = [await house.ask(requester), newVisitor()];
  const back = await house.consent(await house.leave(visitor, question));
  provider.isDown();
  const failed = await visitor.get(back);
  expect(failed.status).toBe(502);
  expect(failed.html).toContain('/go/');
  expect((await house.state(question.id)).status).toBe('open');
});

describe('a token that ends', () => {
  test('is renewed before, once for all who ask at the same moment', async () => {
    provider.expiresIn(120);
    const { id } = await connect();
    const first = await tokenOf(id);
    expect(await tokenOf(id)).toBe(first);
    ahead = 61_000;
    const before = provider.refreshes();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(id)));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(first);
    expect([provider.refreshes() - before, provider.reuses()]).toEqual([1, 0]);
  });

  test('is refused from then on if the provider has withdrawn it', async () => {
    provider.expiresIn(120);
    const { id } = await connect();
    ahead = 61_000;
    provider.withdraw();
    expect(await json(use(id))).toMatchObject({ code: 'connection-declined' });
    expect(await house.find(requester)).toEqual({ state: 'refused' });
  });

  test('stays while the provider does not answer, and is renewed afterwards', async () => {
    provider.expiresIn(120);
    const { id } = await connect();
    ahead = 61_000;
    provider.isDown();
    expect(await json(use(id))).toMatchObject({ code: 'provider-unavailable' });
    provider.isDown(false);
    expect(provider.isLive(await tokenOf(id))).toBe(true);
  });
});

describe('disconnecting', () => {
  test('takes the token from the server, and has the provider withdraw it, also if that is down meanwhile', async () => {
    const { id } = await connect();
    const token = await tokenOf(id);
    provider.isDown();
    await removeCredential(house.server.engine, 'operator', id as never);
    expect((await use(id)).status).toBe(404);
    await withdrawConnections(house.server.engine);
    provider.isDown(false);
    expect(provider.isLive(token)).toBe(true);
    ahead = 60_001;
    await withdrawConnections(house.server.engine);
    expect(provider.isLive(token)).toBe(false);
  });

  test('while a node renews the token withdraws the renewed one', async () => {
    provider.expiresIn(120);
    const { id } = await connect();
    ahead = 61_000;
    const { engine } = house.server;
    const client = engine.connect[0] as ConnectClient;
    const { refresh } = client;
    let renewed = '';
    client.refresh = async (tokens) => {
      const next = await refresh(tokens);
      renewed = next.accessToken;
      expect(provider.isLive(renewed)).toBe(true);
      await removeCredential(engine, 'operator', id as never);
      return next;
    };
    expect((await use(id)).status).toBe(404);
    client.refresh = refresh;
    expect(provider.isLive(renewed)).toBe(false);
  });
});

describe('refuses to ask', () => {
  const refusal = async (parts: object, by: object = requester) => {
    const body = {
      tool: { name: 'sync' },
      arguments: {},
      mode: 'url',
      message: 'Connect.',
      requester: by,
      expects,
      ...parts,
    };
    const answer = await house.asking.call('POST', '/v1/elicitations', body);
    return json<{ code: string; errors?: { path: string[] }[]; detail?: string }>(answer);
  };

  test.each([
    ['an address as well', { url: 'https://example.com/' }],
    ['a schema as well', { schema: { type: 'object', properties: {} } }],
    ['a form', { mode: 'form' }],
    ['a token of a callback', { elicitationId: 'v1.x' }],
    ['someone else’s word', { completedBy: 'requester' }],
  ])('with %s', async (_name, parts) => {
    expect(await refusal(parts)).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test.each([
    ['an unknown provider', { ...expects, provider: 'github' }, '"github" in ASSENTRY_PROVIDERS'],
    ['more than the operator permits', { ...expects, scopes: ['admin'] }, 'add admin to the "scopes"'],
  ])('for %s, and says which line to add', async (_name, other, line) => {
    const refused = await refusal({ expects: other });
    expect(refused.code).toBe('provider-not-configured');
    expect(refused.detail).toContain(line);
  });

  test('for a server that the operator does not name', async () => {
    const key = await house.server.newServerKey('other');
    const body = { provider: 'fake', scopes: [], requester };
    const headers = { authorization: `Bearer ${key}` };
    const answer = await house.asking.call('POST', '/v1/connections', body, headers);
    expect(await json(answer)).toMatchObject({ code: 'provider-not-configured' });
  });
});

test('a policy of the tool is not about the connection; one of its own name is', async () => {
  await house.server.applyPolicies([
    'policy: denied\nmatch: { tool: "*" }\nwhen: request.tool == "transfer_funds"\ndeny: { reason: No one may. }\n',
    'policy: nowhere\nmatch: { tool: assentry.connect }\nwhen: request.args.tool == "export"\ndeny: { reason: Not here. }\n',
  ]);
  const question = await house.ask(requester);
  expect(question.status).toBe('open');
  const denied = await house.ask(requester, { tool: { name: 'export' } });
  expect(denied.status).toBe('declined');
});

test('no report, relayed accept or link stands for the provider', async () => {
  const question = await house.ask(requester, { session: 's' });
  for (const purpose of ['callback', 'page']) {
    const body = { session: 's', elicitation: question.id, purpose };
    expect((await house.asking.call('POST', '/v1/tokens', body)).status).toBe(400);
  }
  await house.asking.call('POST', `/v1/elicitations/${question.id}/answer`, { action: 'accept' });
  expect((await house.state(question.id)).status).toBe('open');
  expect((await house.find(requester)).state).toBe('missing');
});
