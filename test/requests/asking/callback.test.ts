import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { ElicitationState } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { MintedToken } from '#requests/pages/contract';
import { mintToken } from '#access/tokens/rules';
import { warnOfReports } from '#requests/pages/loops';
import { takeDueTimers } from '#requests/state/verbs/end';
import { createHealth } from '#platform/nodes/verbs/health';
import type { ElicitationId } from '#platform/model/id';
import { askingAt } from '../../support/nodes/asking.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { leaveBy, letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { json } from '../../support/json.ts';

/** How far the clock of each node is ahead. */
const ahead = [0, 0];
const two = await startTwoNodes(
  { now: () => Date.now() + (ahead[0] ?? 0) },
  { now: () => Date.now() + (ahead[1] ?? 0) },
);
afterAll(() => two.stop());
const asking = two.asking;
afterEach(() => void ahead.fill(0));

const granted = {
  type: 'object',
  properties: {
    accessToken: { type: 'string' },
    scope: { type: 'array', items: { type: 'string' } },
    username: { type: 'string' },
  },
  required: ['accessToken', 'scope'],
} as const;
const content = { accessToken: 'gho_1', scope: ['repo', 'gist'], username: 'alice' };

const connect = {
  tool: { name: 'connect_github' },
  arguments: {},
  message: 'Connect your account',
  mode: 'url',
  audience: 'requester',
  schema: granted,
  session: 'session-1',
  supersede: 'none',
};

const mint = async (parts: Record<string, unknown> = {}, by = asking): Promise<MintedToken> => {
  const response = await by.call('POST', '/v1/tokens', { session: 'session-1', ...parts });
  const text = await response.text();
  expect([response.status, text]).toEqual([201, expect.anything()]);
  return JSON.parse(text) as MintedToken;
};

/** As tools do it: first the token, then the address with it, then the question under it. */
async function ask(parts: Record<string, unknown> = {}) {
  const minted = await mint({ ttl: 300_000 });
  const url = `https://github.com/login/oauth/authorize?state=${minted.token}`;
  const opened = await asking.open({ ...connect, url, elicitationId: minted.token, ...parts });
  return { ...opened, minted, callback: minted.callbackUrl ?? '' };
}

const report = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const atSecond = (url: string): string => url.replace(two.nodes[0].url, two.nodes[1].url);
const state = (id: string): Promise<ElicitationState> =>
  json<ElicitationState>(asking.call('GET', `/v1/elicitations/${id}`));
const code = async (response: Response): Promise<unknown> => (await json<{ code: unknown }>(response)).code;
const typesOf = async (id: string) => (await entriesOf(two, id)).map(({ type }) => type).sort();

describe('F-181 to F-186: a callback', () => {
  test('delivers the result and resumes the blocked call at the other node', async () => {
    const { id, url, code: pageCode, callback, minted } = await ask();
    const address = await leaveBy(newVisitor(), url ?? '', pageCode ?? '');
    expect(address).toBe(`https://github.com/login/oauth/authorize?state=${minted.token}`);
    expect(callback).toMatch(new RegExp(`^${two.nodes[0].url}/callback/v1\\.`));
    expect(callback).not.toContain(minted.token);
    const waiting = asking.at(two.nodes[1].url).call('GET', `/v1/elicitations/${id}?wait=20`);
    const response = await report(callback, { content });
    expect([response.status, await response.json()]).toEqual([200, { action: 'accept' }]);
    expect(await (await waiting).json()).toMatchObject({ status: 'accepted', action: 'accept', content });
    const entries = await entriesOf(two, id);
    expect(entries.filter(({ type }) => type === 'elicitation.answered').at(-1)).toMatchObject({
      channel: 'callback',
      action: 'accept',
      actor: { kind: 'service' },
      to: 'accepted',
    });
    expect(JSON.stringify(entries)).not.toContain('gho_1');
  });

  test.each(['decline', 'cancel'])('may bring a %s', async (action) => {
    const { id, callback } = await ask();
    expect((await report(callback, { action })).status).toBe(200);
    expect(await state(id)).toMatchObject({ action });
    expect((await state(id)).content).toBeUndefined();
  });

  test('F-35: is what completes it; the person’s accept at the client only agrees to go there', async () => {
    const { id, callback } = await ask();
    const agreed = await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept' });
    expect(await agreed.json()).toMatchObject({ status: 'open' });
    expect((await report(callback, { content })).status).toBe(200);
    expect(await state(id)).toMatchObject({ status: 'accepted', content });
  });

  test.each<[string, unknown, string[]]>([
    ['a field that is missing', { content: { scope: [] } }, ['content.accessToken']],
    ['a field of the wrong type', { content: { ...content, scope: 'repo' } }, ['content.scope']],
    ['a field that was not asked for', { content: { ...content, admin: true } }, ['content.admin']],
    ['no content', {}, ['content']],
    ['bare content without its envelope', content, ['accessToken', 'scope', 'username']],
    ['another action', { action: 'approve', content }, ['action']],
  ])('with %s is refused and may be repeated', async (_what, body, paths) => {
    const { id, callback } = await ask();
    const response = await report(callback, body);
    const problem = await json<{ errors: { path: string[] }[] }>(response);
    expect([response.status, problem.errors.map(({ path }) => path.join('.'))]).toEqual([400, paths]);
    expect((await state(id)).status).toBe('open');
    expect((await report(callback, { content })).status).toBe(200);
  });

  test('without a result schema takes no content', async () => {
    const { id, callback } = await ask({ schema: undefined });
    expect(await code(await report(callback, { content }))).toBe('INVALID_INPUT');
    expect((await report(callback, {})).status).toBe(200);
    expect(await state(id)).toMatchObject({ status: 'accepted' });
  });

  test('by GET shows a page that is the same for every token and decides nothing', async () => {
    const { id, callback } = await ask();
    const pages = await Promise.all(
      [callback, `${callback}x`, `${two.nodes[0].url}/callback/nothing`].map(async (url) => {
        const response = await fetch(url);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toMatch(/^text\/html/);
        return (await response.text()).replaceAll(/nonce="[^"]*"/g, '');
      }),
    );
    expect(new Set(pages).size).toBe(1);
    expect(await typesOf(id)).toEqual(['elicitation.opened']);
  });

  test('of another content type, or too large, is refused', async () => {
    const { callback } = await ask();
    expect((await report(callback, 'action=accept', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await report(callback, { content: { ...content, username: 'x'.repeat(300_000) } })).status).toBe(413);
  });
});

describe('CB-07: a callback that comes again', () => {
  test('with the same report succeeds and changes nothing, at whichever node', async () => {
    const { id, callback } = await ask();
    const shuffled = {
      content: { username: 'alice', scope: ['repo', 'gist'], accessToken: 'gho_1' },
      action: 'accept',
    };
    for (const [url, body] of [
      [callback, { content }],
      [atSecond(callback), { content }],
      [callback, shuffled],
    ] as const) {
      const response = await report(url, body);
      expect([response.status, await response.json()]).toEqual([200, { action: 'accept' }]);
    }
    expect(await typesOf(id)).toEqual(['elicitation.answered', 'elicitation.opened']);
  });

  test.each<[string, unknown]>([
    ['other content', { content: { ...content, username: 'mallory' } }],
    ['another action', { action: 'decline' }],
  ])('with %s is refused, and the first report stands', async (_what, body) => {
    const { id, callback } = await ask();
    await report(callback, { content });
    const response = await report(callback, body);
    expect([response.status, await code(response)]).toEqual([409, 'already-closed']);
    expect(await state(id)).toMatchObject({ status: 'accepted', content });
  });

  test.each([
    ['user', [200, undefined]],
    ['superseded', [409, 'already-closed']],
    ['caller_gone', [409, 'already-closed']],
  ])('with a cancel, after a cancel with the cause %s, says how the question ended', async (cause, heard) => {
    const { id, callback } = await ask();
    await asking.call('POST', `/v1/elicitations/${id}/cancel`, { cause });
    const response = await report(callback, { action: 'cancel' });
    expect([response.status, await code(response)]).toEqual(heard);
    expect(await state(id)).toMatchObject({ status: 'cancelled', cause });
  });

  test('twenty times at once at two nodes resumes the call once', async () => {
    const { id, callback } = await ask();
    const hits = await Promise.all(
      Array.from({ length: 20 }, (_, at) => report(at % 2 ? callback : atSecond(callback), { content })),
    );
    expect(hits.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await typesOf(id)).toEqual(['elicitation.answered', 'elicitation.opened']);
    expect(
      await two.query("SELECT count(*)::int FROM outbox WHERE elicitation_id = $1 AND topic = 'closed'", [id]),
    ).toEqual([1]);
  });

  test('with different reports at once takes one of them whole', async () => {
    const { id, callback } = await ask();
    const reports = Array.from({ length: 10 }, (_, at) => ({ content: { ...content, username: `user-${at}` } }));
    const hits = await Promise.all(reports.map((body, at) => report(at % 2 ? callback : atSecond(callback), body)));
    const won = hits.findIndex(({ status }) => status === 200);
    expect(hits.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect((await state(id)).content).toEqual(reports[won]?.content);
  });
});

describe('CB-02: a question that its requester must complete', () => {
  const issuer = 'https://id.example';
  const requester = { subject: 'auth0|alice', issuer, verified: true };

  test.each<[string, object]>([
    ['someone else', { subject: 'auth0|mallory', issuer }],
    ['someone of that name at another issuer', { subject: 'auth0|alice', issuer: 'https://other.example' }],
    ['someone of that name at no issuer', { subject: 'auth0|alice' }],
  ])('is not completed by %s, and still can be by the requester', async (_, completedBy) => {
    const { id, url, code: pageCode, callback } = await ask({ requester, completedBy: 'requester' });
    for (const body of [
      { content, completedBy },
      { action: 'decline', completedBy },
    ]) {
      const refused = await report(callback, body);
      expect([refused.status, await code(refused)]).toEqual([403, 'forbidden']);
    }
    expect((await state(id)).status).toBe('open');
    expect(await typesOf(id)).toEqual(['elicitation.opened']);
    await leaveBy(newVisitor(), url ?? '', pageCode ?? '');
    expect((await report(callback, { content, completedBy: { subject: 'auth0|alice', issuer } })).status).toBe(200);
    expect((await state(id)).status).toBe('accepted');
  });

  test('is not completed under the requester’s name by anyone who did not come through the connect page', async () => {
    const { id, callback, ...opened } = await ask({ requester, completedBy: 'requester' });
    const named = { content, completedBy: { subject: 'auth0|alice', issuer } };
    await asking.call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept' });
    expect((await report(callback, named)).status).toBe(403);
    const visitor = newVisitor();
    await visitor.get(opened.url ?? '');
    await visitor.send(opened.url ?? '', { action: 'prove', code: 'x' });
    expect((await report(callback, named)).status).toBe(403);
    await letIn(visitor, opened.url ?? '', opened.code ?? '');
    expect((await report(callback, named)).status).toBe(403); // at the page, but has not gone on
    await visitor.send(opened.url ?? '', { action: 'accept' });
    expect((await report(callback, named)).status).toBe(200);
  });

  test('is not completed by a report that names no one', async () => {
    const { id, callback } = await ask({ requester, completedBy: 'requester' });
    const refused = await report(callback, { content });
    const { errors } = await json<ProblemDocument>(refused);
    expect([refused.status, errors?.map(({ path }) => path)]).toEqual([400, [['completedBy']]]);
    expect((await state(id)).status).toBe('open');
    expect((await report(callback, { action: 'cancel' })).status).toBe(200);
  });

  test('without that demand, a report may name no one, but not someone else', async () => {
    const { callback } = await ask({ requester });
    expect((await report(callback, { content, completedBy: { subject: 'bob' } })).status).toBe(403);
    expect((await report(callback, { content })).status).toBe(200);
  });

  test('has an address: no one reports who has filled in a form', async () => {
    const form = { ...connect, mode: 'form', schema: undefined, requester, completedBy: 'requester' };
    const response = await asking.call('POST', '/v1/elicitations', form);
    expect((await json<ProblemDocument>(response)).errors).toMatchObject([{ path: ['completedBy'] }]);
  });
});

describe('the name of a question', () => {
  test('reports nothing: someone who reads the request cannot answer for its service', async () => {
    const { id, url, code: pageCode, minted } = await ask();
    await leaveBy(newVisitor(), url ?? '', pageCode ?? '');
    const before = await typesOf(id);
    const refused = await report(`${two.nodes[0].url}/callback/${minted.token}`, { content });
    expect([refused.status, await code(refused)]).toEqual([400, 'token-invalid']);
    expect([(await state(id)).status, await typesOf(id)]).toEqual(['open', before]);
  });

  test('is not what the service got: that one names no question', async () => {
    const { callbackUrl } = await mint();
    const elicitationId = callbackUrl?.split('/').at(-1);
    const requester = { subject: 'alice' };
    const body = { ...connect, requester, url: 'https://example.com/', elicitationId };
    const refused = await asking.call('POST', '/v1/elicitations', body);
    expect([refused.status, (await json<ProblemDocument>(refused)).errors?.map(({ path }) => path)]).toEqual([
      400,
      [['elicitationId']],
    ]);
  });

  test('may be older than its time when the call comes back, and its callback lives as long as the question', async () => {
    const minted = await mint({ ttl: 1_000 });
    const parts = { ...connect, requester: { subject: 'alice' }, call: 'slow', elicitationId: minted.token };
    const body = { ...parts, url: 'https://example.com/', ttl: 600_000 };
    const { id } = await json<{ id: string }>(asking.call('POST', '/v1/elicitations', body));
    ahead.fill(300_000);
    expect((await asking.call('POST', '/v1/elicitations', body)).status).toBe(200);
    expect((await report(minted.callbackUrl ?? '', { content })).status).toBe(200);
    expect(await state(id)).toMatchObject({ status: 'accepted' });
  });

  test.each<[string, (callback: string) => Record<string, unknown>]>([
    ['url', (callback) => ({ url: `https://pay.example/?back=${callback}` })],
    ['url', (callback) => ({ url: `https://pay.example/?back=${encodeURIComponent(encodeURIComponent(callback))}` })],
    ['url', (callback) => ({ url: `https://pay.example/p/${Buffer.from(callback).toString('base64url')}` })],
    ['url', (callback) => ({ url: `https://pay.example/?state=${callback.split('/').at(-1)}` })],
    ['message', (callback) => ({ message: `Pay, then call ${callback}` })],
    ['reason', (callback) => ({ reason: callback })],
    [
      'schema',
      (callback) => ({ schema: { type: 'object', properties: { at: { type: 'string', default: callback } } } }),
    ],
  ])('stands alone: a callback address in the %s is refused', async (at, parts) => {
    const minted = await mint();
    const body = {
      ...connect,
      requester: { subject: 'alice' },
      url: 'https://example.com/',
      elicitationId: minted.token,
      ...parts(minted.callbackUrl ?? ''),
    };
    const refused = await asking.call('POST', '/v1/elicitations', body);
    expect([refused.status, (await json<ProblemDocument>(refused)).errors?.map(({ path }) => path)]).toEqual([
      400,
      [[at]],
    ]);
  });
});

test('the next question of the session ends no question with an outside address, and the other way round', async () => {
  const session = 'session-of-a-payment';
  const common = { session, audience: 'requester', supersede: undefined };
  const form = await asking.open(common);
  const parts = { ...connect, ...common, requester: { subject: 'alice' } };
  const payment = await asking.open({ ...parts, url: 'https://pay.example/1' });
  expect((await state(form.id)).status).toBe('open');
  const next = [await asking.open(common), await asking.open({ ...common, supersede: 'session' })];
  const statuses = await Promise.all([form, payment, ...next].map(async ({ id }) => (await state(id)).status));
  expect(statuses).toEqual(['cancelled', 'open', 'cancelled', 'open']);
});

describe('a report that no call gets', () => {
  const reports = (id: string) =>
    two.query('SELECT count(*)::int FROM callback_report WHERE elicitation_id = $1', [id]);

  test.each<[string, object, (id: string) => Promise<unknown>, [number, string]]>([
    ['after the request expired', { content }, async () => ahead.fill(400_000), [400, 'token-invalid']],
    [
      'after it was cancelled',
      { content },
      (id) => asking.call('POST', `/v1/elicitations/${id}/cancel`, {}),
      [409, 'already-closed'],
    ],
    ['that does not fit', { content: { amount: '0.01' } }, async () => {}, [400, 'INVALID_INPUT']],
  ])('%s is an entry on the request and sealed with it, once', async (_, body, before, answer) => {
    const { id, callback } = await ask();
    await before(id);
    for (const url of [callback, atSecond(callback)]) {
      const response = await report(url, body);
      expect([response.status, await code(response)]).toEqual(answer);
    }
    const entries = (await entriesOf(two, id)).filter(({ type }) => String(type).startsWith('callback.'));
    const type = answer[1] === 'INVALID_INPUT' ? 'callback.unfit' : 'callback.late';
    expect(entries).toMatchObject([
      { type, actor: { kind: 'service' }, said: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(await reports(id)).toEqual([1]);
    expect(JSON.stringify(await two.query('SELECT to_jsonb(r) FROM callback_report r'))).not.toContain('gho_1');
  });

  test('a decline after the accept is one, and a report that is kept twenty times is enough', async () => {
    const { id, callback } = await ask();
    await report(callback, { content });
    for (let at = 0; at < 22; at += 1)
      await report(callback, { action: 'accept', content: { ...content, username: `user ${at}` } });
    expect((await report(callback, { action: 'decline' })).status).toBe(409);
    expect(await reports(id)).toEqual([20]);
    expect((await state(id)).status).toBe('accepted');
  });

  test('is a warning to those who run the server, for a week', async () => {
    const { callback, id } = await ask();
    await asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    await report(callback, { content });
    const { callbackReports, now } = two.nodes[0].engine;
    const engine = { callbackReports, now, health: createHealth(now) }; // the node's own loop warns at its own times
    const lines: unknown[] = [];
    const log = { warn: (line: unknown) => void lines.push(line) };
    await warnOfReports(engine, log);
    await warnOfReports(engine, log);
    expect(engine.health.warnings()).toContainEqual(expect.objectContaining({ code: 'reports-lost' }));
    expect(lines).toHaveLength(1);
    ahead.fill(8 * 86_400_000);
    await warnOfReports(engine, log);
    expect(engine.health.warnings().map((warning) => warning.code)).not.toContain('reports-lost');
  });

  test('by a token from before an upgrade, which its client could read, is not believed', async () => {
    const { id } = await ask();
    const claims = { session: 'session-1', elicitation: id as ElicitationId, purpose: 'callback' } as const;
    const old = mintToken(two.nodes[0].engine.ring, { ...claims, expiresAt: Date.now() + 60_000 });
    const refused = await report(`${two.nodes[0].url}/callback/${old}`, { content });
    expect([refused.status, await code(refused)]).toEqual([400, 'token-invalid']);
    expect([(await state(id)).status, await typesOf(id)]).toEqual(['open', ['callback.unfit', 'elicitation.opened']]);
  });
});

describe('a call that comes back with another outside address', () => {
  const parts = { ...connect, requester: { subject: 'alice' } };
  const open = async (body: object): Promise<[number, Record<string, unknown>]> => {
    const response = await asking.call('POST', '/v1/elicitations', { ...parts, ...body });
    return [response.status, await json<Record<string, unknown>>(response)];
  };

  test('joins its question, and the person keeps the first address', async () => {
    const [first, second] = [await mint(), await mint()];
    const at = (session: string, { token }: MintedToken) => ({
      call: 'call-elsewhere',
      url: `https://pay.example/${session}?reference=${token}`,
      elicitationId: token,
    });
    const [status, opened] = await open(at('cs_1', first));
    const [again, joined] = await open(at('cs_2', second));
    expect([status, again]).toEqual([201, 200]);
    expect(joined).toMatchObject({ id: opened['id'], joined: true, isElsewhere: true });
    const address = await leaveBy(newVisitor(), String(joined['url']), String(joined['code']));
    expect(address).toContain(`https://pay.example/cs_1?reference=${first.token}`);
    expect((await report(second.callbackUrl ?? '', { content })).status).toBe(200);
    const [, ended] = await open(at('cs_3', await mint()));
    expect(ended).toMatchObject({ id: opened['id'], status: 'accepted', isElsewhere: true });
  });

  test.each<[string, object]>([
    ['says something else', { message: 'Connect another account' }],
    ['wants another result', { schema: undefined }],
    ['runs something else', { arguments: { amount: 1 } }],
    ['has no address any more', { url: undefined }],
  ])('is refused if it %s', async (_, change) => {
    const call = `call-${JSON.stringify(change)}`;
    await open({ call, url: 'https://pay.example/1' });
    const [status, { code: problem }] = await open({ call, url: 'https://pay.example/2', ...change });
    expect([status, problem]).toEqual([409, 'idempotency-mismatch']);
  });

  test('is refused for approvers: they approve an address', async () => {
    const body = { call: 'approved', audience: 'approvers', schema: undefined };
    await open({ ...body, url: 'https://pay.example/1' });
    const [status, { code: problem }] = await open({ ...body, url: 'https://pay.example/2' });
    expect([status, problem]).toEqual([409, 'idempotency-mismatch']);
  });
});

describe('CB-10: a token that does not fit', () => {
  const shape = async (response: Response): Promise<unknown> => {
    const { errorId, requestId: _request, ...rest } = await json<Record<string, unknown>>(response);
    return [response.status, response.headers.get('content-type'), typeof errorId, rest];
  };

  test('gets one answer whatever is wrong with it, and changes nothing', async () => {
    const { id, minted, callback } = await ask();
    const base = `${two.nodes[0].url}/callback/`;
    const { token } = minted;
    const flipped = token.split('.').map((part, index, parts) => {
      const other = `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`;
      return [...parts.slice(0, index), other, ...parts.slice(index + 1)].join('.');
    });
    const page = await mint({ purpose: 'page', elicitation: id });
    const unbound = await mint();
    const short = await mint({ ttl: 1000, elicitation: id });
    const ring = two.nodes[0].engine.ring;
    const claims = { elicitation: id as ElicitationId, purpose: 'callback', expiresAt: Date.now() + 60_000 } as const;
    const forSession = mintToken(ring, { ...claims, session: 'session-2' });
    const forNobody = mintToken(ring, { ...claims, session: 'session-1', elicitation: 'eli_AAAAAAAAAAAAAAAAAAAAAA' });
    ahead.fill(2000);
    const tokens = [...flipped, 'x', `${token}.x`, page.token, unbound.token, short.token, forSession, forNobody];
    const shapes = await Promise.all(tokens.map(async (token) => shape(await report(`${base}${token}`, { content }))));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(shapes[0]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
      'string',
      expect.objectContaining({ code: 'token-invalid' }),
    ]);
    expect((await state(id)).status).toBe('open');
    expect((await report(callback, { content })).status).toBe(200);
  });

  test('gets the same answer if its question has expired', async () => {
    const { id, callback } = await ask({ ttl: 2000 });
    ahead.fill(2000);
    const unknown = await shape(await report(`${two.nodes[0].url}/callback/x`, { content }));
    expect(await shape(await report(callback, { content }))).toEqual(unknown);
    expect(await shape(await report(callback, { content: { bad: 1 } }))).toEqual(unknown);
    expect(await state(id)).toMatchObject({ status: 'expired' });
  });

  test('that expires while its callback arrives ends once, either way', async () => {
    for (let round = 0; round < 8; round++) {
      const { id, callback, deadlineAt } = await ask({ ttl: 60_000 });
      ahead[1] = deadlineAt - Date.now() + 1;
      const [hit] = await Promise.all([report(callback, { content }), takeDueTimers(two.nodes[1].engine)]);
      const { status } = await state(id);
      expect([hit.status, status]).toEqual(hit.status === 200 ? [200, 'accepted'] : [400, 'expired']);
      const closing = (await entriesOf(two, id)).filter(({ from, to }) => from === 'open' && to !== 'open');
      expect(closing).toHaveLength(1);
      ahead.fill(0);
    }
  });
});

describe('a callback and questions to approvers', () => {
  test('promise 5: a callback never replaces an approver, no matter who made the token', async () => {
    const forApprovers = { ...connect, schema: undefined, audience: 'approvers', url: 'https://example.com/' };
    const { id } = await asking.open(forApprovers);
    const refused = await asking.call('POST', '/v1/tokens', { session: 'session-1', elicitation: id });
    expect([refused.status, await code(refused)]).toEqual([403, 'forbidden']);
    const claims = { session: 'session-1', elicitation: id as ElicitationId, expiresAt: Date.now() + 60_000 };
    const [callback, page] = (['callback', 'page'] as const).map((purpose) =>
      mintToken(two.nodes[0].engine.ring, { ...claims, purpose }),
    );
    expect(await code(await report(`${two.nodes[0].url}/callback/${callback}`, { content }))).toBe('token-invalid');
    expect((await fetch(`${two.nodes[0].url}/e/${page}`)).status).toBe(400);
    expect(await typesOf(id)).toEqual(['elicitation.opened']);
  });

  test('no result schema lets a question ask them for secrets', async () => {
    const body = { ...connect, requester: { subject: 'alice' }, audience: 'approvers', url: 'https://example.com/' };
    const response = await asking.call('POST', '/v1/elicitations', body);
    expect([response.status, await code(response)]).toEqual([400, 'INVALID_INPUT']);
  });

  test('its token cannot name a question for them', async () => {
    const { token } = await mint();
    const body = {
      ...connect,
      requester: { subject: 'alice' },
      audience: 'approvers',
      schema: undefined,
      url: 'https://example.com/',
      elicitationId: token,
    };
    const response = await asking.call('POST', '/v1/elicitations', body);
    expect([response.status, await code(response)]).toEqual([403, 'forbidden']);
  });
});

describe('F-27: a token made before its question', () => {
  const open = (elicitationId: string, parts: Record<string, unknown> = {}, by = asking): Promise<Response> =>
    by.call('POST', '/v1/elicitations', {
      ...connect,
      requester: { subject: 'alice' },
      url: 'https://example.com/',
      elicitationId,
      ...parts,
    });

  test('speaks for one question and never for another', async () => {
    const { token, callbackUrl } = await mint();
    expect((await open(token)).status).toBe(201);
    const again = await open(token);
    expect([again.status, await code(again)]).toEqual([400, 'token-invalid']);
    expect((await report(callbackUrl ?? '', { content })).status).toBe(200);
    expect(await code(await open(token))).toBe('token-invalid');
  });

  test('is refused for a second question, which is not stored; the first stays open', async () => {
    const { token } = await mint();
    const { id } = await json<{ id: string }>(open(token));
    const count = () =>
      two.query('SELECT (SELECT count(*) FROM elicitation)::int, (SELECT count(*) FROM audit_entry)::int');
    const before = await count();
    expect(await code(await open(token, { supersede: 'session' }))).toBe('token-invalid');
    expect([await count(), (await state(id)).status]).toEqual([before, 'open']);
  });

  test('goes to one of two questions that race for it, and the other is withdrawn', async () => {
    const { token, callbackUrl } = await mint();
    const other = asking.at(two.nodes[1].url);
    const opened = await Promise.all([open(token), open(token, {}, other), open(token), open(token, {}, other)]);
    expect(opened.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const winner = (await opened.find(({ status }) => status === 201)?.json()) as { id: string };
    expect((await report(callbackUrl ?? '', { content })).status).toBe(200);
    expect(await state(winner.id)).toMatchObject({ status: 'accepted' });
  });

  test('of a retry joins the question its call asked before, and both tokens report to it', async () => {
    const [first, second] = [await mint(), await mint()];
    const parts = (token: string) => ({ call: 'call-1', url: `https://example.com/?state=${token}` });
    const opened = await json<{ id: string }>(open(first.token, parts(first.token)));
    const joined = await open(second.token, parts(second.token));
    expect([joined.status, await joined.json()]).toMatchObject([200, { id: opened.id, joined: true }]);
    expect((await open(second.token, parts(second.token))).status).toBe(200);
    expect((await report(second.callbackUrl ?? '', { content })).status).toBe(200);
    expect((await report(first.callbackUrl ?? '', { content })).status).toBe(200);
    expect(await typesOf(opened.id)).toEqual(['elicitation.answered', 'elicitation.opened']);
  });

  test('is refused to another server, in another session, in form mode and once it has expired', async () => {
    const foreign = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('billing'));
    const { token } = await mint();
    expect(await code(await open(token, {}, foreign))).toBe('token-invalid');
    expect(await code(await open(token, { session: 'session-2' }))).toBe('token-invalid');
    expect(await code(await open(token, { session: undefined }))).toBe('token-invalid');
    expect(await code(await open(token, { mode: 'form', url: undefined, schema: undefined }))).toBe('INVALID_INPUT');
    expect(await code(await open(`${token}x`))).toBe('token-invalid');
    const bound = await mint({ elicitation: (await asking.open({ ...connect, url: 'https://example.com/' })).id });
    expect(await code(await open(bound.token))).toBe('token-invalid');
    ahead.fill(301_000);
    expect(await code(await open(token))).toBe('token-invalid');
    ahead.fill(0);
    expect((await open(token)).status).toBe(201);
  });

  test('cannot be made for a question of another server or session, or one that has ended or has no callback', async () => {
    const { id } = await asking.open({ ...connect, url: 'https://example.com/' });
    const make = (parts: Record<string, unknown>, by = asking) =>
      by.call('POST', '/v1/tokens', { session: 'session-1', elicitation: id, ...parts });
    const foreign = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('billing'));
    expect(await code(await make({}, foreign))).toBe('not-found');
    expect(await code(await make({ session: 'session-2' }))).toBe('INVALID_INPUT');
    const form = await asking.open({ ...connect, mode: 'form', schema: undefined });
    expect(await code(await make({ elicitation: form.id }))).toBe('INVALID_INPUT');
    await asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    expect(await code(await make({}))).toBe('already-closed');
  });

  test('F-28: tells neither its bearer nor the database the session', async () => {
    const { token } = await mint({ session: 'a-session-name' });
    const readable = token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join('');
    expect(readable).not.toContain('a-session-name');
    const stored = await two.query('SELECT row_to_json(token)::text FROM token');
    expect(stored.join('')).not.toContain('a-session-name');
    expect(stored.join('')).not.toContain(token);
  });
});
