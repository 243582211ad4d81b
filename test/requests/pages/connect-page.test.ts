import { afterAll, describe, expect, test } from '@jest/globals';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import { changeUser } from '#people/users/verbs';
import { signInWithPassword } from '#access/passwords/verbs';
import type { User } from '#people/directory/contract/user';
import { json } from '../../support/json.ts';
import pg from 'pg';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { leaveBy, letIn, newVisitor, type Shown, type Visitor } from '../../support/nodes/visitor.ts';
import { freePort } from '../../support/nodes/free-port.ts';

const publicUrl = 'https://approvals.example.com';
const password = 'seven quiet otters paint';
const outside = 'https://pay.example/checkout?item=7&note=a%20b#terms';

type Asked = OpenedElicitation & { url: string; code: string };
interface House {
  server: TestServer;
  asking: Asking;
  ask(parts?: Record<string, unknown>): Promise<Asked>;
  state(id: string): Promise<ElicitationState>;
  history(id: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
  /** Who was refused at the pages of this request. */
  refusals(id: string): Promise<unknown[]>;
}

let ahead = 0;
const port = await freePort();
const now = () => Date.now() + ahead;
const far = await open(await startTestServer({ publicUrl, port, now }), `http://127.0.0.1:${port}`);
const near = await open(await startTestServer());
afterAll(async () => {
  await far.close();
  await near.close();
});
const names = ['alice', 'bob', 'carol'] as const;
const email = (name: string) => `${name}@example.com`;
const added = await Promise.all(
  names.map((name) => far.server.addUser({ email: email(name), name: email(name), role: 'reviewer', password })),
);
const people = Object.fromEntries(names.map((name, at) => [name, added[at]])) as Record<
  'alice' | 'bob' | 'carol',
  User
>;

async function open(server: TestServer, base = server.url): Promise<House> {
  const asking = askingAt(base, await server.newServerKey('travel'));
  const database = new pg.Client(server.databaseUrl);
  await database.connect();
  const read = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
  return {
    server,
    asking,
    async close() {
      await database.end();
      await server.stop();
    },
    async ask(parts = {}) {
      const question = { mode: 'url', audience: 'requester', session: 's', supersede: 'none', message: 'Pay the trip' };
      const opened = await asking.open({ ...question, url: outside, schema: undefined, ...parts });
      return { ...opened, url: (opened.url ?? '').replace(publicUrl, base), code: opened.code ?? '' };
    },
    state: (id) => json<ElicitationState>(asking.call('GET', `/v1/elicitations/${id}`)),
    history: async (id) => (await server.engine.reader.history(id as never)).map(read),
    refusals: async (id) => {
      await server.engine.access.flush(Date.now() + 86_400_000);
      const { rows } = await database.query<{ id: string | null; what: string }>(
        "SELECT entry->'actor'->>'id' AS id, entry->>'what' AS what FROM audit_log " +
          "WHERE type = 'access.refused' AND entry->'about' ? $1",
        [id],
      );
      return rows;
    },
  };
}

const wrongOf = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const alice = { subject: 'alice@example.com', verified: true };
/** A browser that is signed in at the console as this person. */
async function signIn(visitor: Visitor, user: User): Promise<Visitor> {
  const { secret } = await signInWithPassword(far.server.engine, user.email, password);
  visitor.cookies.set('__Host-assentry', secret);
  return visitor;
}
const prove = async (visitor: Visitor, url: string, code?: string): Promise<Shown> => {
  await visitor.get(url);
  return visitor.send(url, { action: 'prove', ...(code !== undefined && { code }) });
};
/** Through the whole page. */
async function leave(visitor: Visitor, url: string): Promise<string | null> {
  expect((await prove(visitor, url)).status).toBe(303);
  await visitor.get(url);
  return (await visitor.send(url, { action: 'accept' })).headers.get('location');
}
/** All that may differ between two pages is made anew for each browser, and the address it was opened at. */
const shapeOf = ({ status, html, headers }: Shown, url: string): string =>
  [status, headers.get('set-cookie')?.replaceAll(/=[^;]*|-page-[0-9a-f]{12}/g, ''), html]
    .join(' ')
    .replaceAll(/nonce="[^"]*"|value="[^"]*"/g, '')
    .replaceAll(encodeURIComponent(new URL(url).pathname), '');

describe('CB-02: the connect page, where people sign in', () => {
  test('proves the person, then shows host, purpose and server, and only then redirects, with a state', async () => {
    const { id, url } = await far.ask({ requester: alice });
    expect(url).toMatch(/\/go\/v1\.[\w.-]+$/);
    const visitor = await signIn(newVisitor(), people.alice);
    const first = await visitor.get(url);
    for (const hidden of ['pay.example', 'Pay the trip', 'travel', 'alice']) expect(first.html).not.toContain(hidden);
    expect((await visitor.send(url, { action: 'prove' })).headers.get('location')).toBe(new URL(url).pathname);
    const shown = await visitor.get(url);
    for (const shownText of ['<p class="host">pay.example</p>', 'Pay the trip', 'travel'])
      expect(shown.html).toContain(shownText);
    const left = await visitor.send(url, { action: 'accept' });
    expect([left.status, left.headers.get('referrer-policy')]).toEqual([303, 'no-referrer']);
    const address = left.headers.get('location') ?? '';
    expect(address).toMatch(/^https:\/\/pay\.example\/checkout\?item=7&note=a%20b&state=[\w-]{43}#terms$/);
    const actor = { kind: 'user', id: people.alice.id };
    expect(await far.history(id)).toMatchObject([
      { type: 'elicitation.opened' },
      { type: 'elicitation.visited', actor },
      { type: 'elicitation.answered', actor, action: 'accept', channel: 'page' },
    ]);
    expect((await far.state(id)).status).toBe('open');
  });

  test('refuses another person who opens a forwarded link, logs them, and lets the first finish', async () => {
    const { id, url } = await far.ask({ requester: alice });
    const [first, other] = [await signIn(newVisitor(), people.alice), await signIn(newVisitor(), people.bob)];
    expect((await prove(first, url)).status).toBe(303);
    const refused = await prove(other, url);
    expect([refused.status, refused.headers.get('location')]).toEqual([403, null]);
    expect((await other.send(url, { action: 'accept' })).headers.get('location')).toBe(new URL(url).pathname);
    expect((await other.get(url)).html).not.toContain('pay.example');
    expect(await far.refusals(id)).toEqual([{ id: people.bob.id, what: 'forbidden' }]);
    await first.get(url);
    expect((await first.send(url, { action: 'accept' })).headers.get('location')).toContain('https://pay.example/');
    expect((await far.history(id)).map(({ actor }) => (actor as { id: string }).id).slice(1)).toEqual([
      people.alice.id,
      people.alice.id,
    ]);
  });

  test('compares issuer and subject: the same subject at another issuer is someone else', async () => {
    const issuer = 'https://id.example.com';
    await changeUser(far.server.engine, 'operator', people.carol.id, { subjects: [`${issuer}#c-42`] });
    const opened = await far.ask({ requester: { subject: 'c-42', issuer, verified: true } });
    const foreign = await far.ask({ requester: { ...alice, issuer: 'https://evil.example.com' } });
    const unverified = await far.ask({ requester: { subject: 'alice@example.com' } });
    expect(await leave(await signIn(newVisitor(), people.carol), opened.url)).toContain('https://pay.example/');
    for (const { url } of [opened, foreign, unverified])
      expect((await prove(await signIn(newVisitor(), people.alice), url)).status).toBe(403);
  });

  test('works in a second tab, opened twice, and again after a decline of the first consent', async () => {
    const { id, url } = await far.ask({ requester: alice });
    const visitor = await signIn(newVisitor(), people.alice);
    const address = await leave(visitor, url);
    await visitor.get(url);
    await visitor.get(url);
    expect((await visitor.send(url, { action: 'accept' })).headers.get('location')).toBe(address);
    const anew = (await far.state(id)).url?.replace(publicUrl, new URL(url).origin) ?? '';
    expect(anew).not.toBe(url);
    expect((await visitor.get(anew)).html).toContain('pay.example');
    expect((await far.history(id)).filter(({ type }) => type === 'elicitation.answered')).toHaveLength(1);
  });

  test('refuses a browser without cookies, and a form of another site', async () => {
    const { id, url } = await far.ask({ requester: alice });
    const bare = newVisitor();
    await bare.get(url);
    bare.cookies.clear();
    const refused = await bare.send(url, { action: 'prove' });
    expect([refused.status, refused.html.includes('pay.example')]).toEqual([403, false]);
    const visitor = await signIn(newVisitor(), people.alice);
    await visitor.get(url);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await visitor.send(url, { action: 'prove' }, headers)).status).toBe(403);
    expect(await far.history(id)).toHaveLength(1);
  });

  test('leads a signed-out phone to the sign-in, and back to the page', async () => {
    const { url } = await far.ask({ requester: alice });
    const phone = newVisitor();
    const { html } = await phone.get(url);
    const link = `/signin?next=${encodeURIComponent(new URL(url).pathname)}`;
    expect(html).toContain(`<a class="button" href="${link}">Sign in</a>`);
    expect((await phone.send(url, { action: 'prove' })).html).toContain(`href="${link}"`);
    expect(await leave(await signIn(phone, people.alice), url)).toContain('https://pay.example/');
  });

  test('looks the same to a stranger, whatever the link leads to; reading it changes nothing', async () => {
    const someone = await far.ask({ requester: alice });
    const ended = await far.ask({ requester: alice });
    await far.asking.call('POST', `/v1/elicitations/${ended.id}/cancel`, {});
    const expired = await far.ask({ requester: alice, ttl: 2000 });
    const hosted = await far.ask({ requester: alice, url: undefined });
    const [base] = someone.url.split('/go/');
    const urls = [
      someone.url,
      ended.url,
      expired.url,
      hosted.url.replace('/e/', '/go/'),
      `${someone.url}x`,
      `${base}/go/absent`,
    ];
    const before = await far.history(someone.id);
    ahead = 2000;
    const pages = await Promise.all(
      urls.map(async (url) => {
        const stranger = await signIn(newVisitor(), people.bob);
        const [shown, refused] = [await stranger.get(url), await stranger.send(url, { action: 'prove' })];
        const sent = await stranger.send(url, { action: 'accept' });
        expect([shown.status, refused.status, sent.status]).toEqual([200, 403, 303]);
        return [shapeOf(shown, url), shapeOf(refused, url), sent.headers.get('location') === new URL(url).pathname];
      }),
    );
    ahead = 0;
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
    expect(await far.history(someone.id)).toEqual(before);
    const hostedPage = someone.url.replace('/go/', '/e/');
    expect((await newVisitor().get(hostedPage)).html).toContain('This link isn’t valid');
  });

  test('has the headers of hosted pages; only the requester’s page lets its form lead elsewhere', async () => {
    const { url } = await far.ask({ requester: alice });
    const visitor = await signIn(newVisitor(), people.alice);
    const closed = (await visitor.get(url)).headers;
    await visitor.send(url, { action: 'prove' });
    const opened = (await visitor.get(url)).headers;
    for (const headers of [closed, opened]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    }
    const formAction = (headers: Headers) =>
      /form-action [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0];
    expect([formAction(closed), formAction(opened)]).toEqual(["form-action 'self'", "form-action 'self' https:"]);
  });
});

describe('what is tried at the connect page', () => {
  test.each(['https://a;sandbox/', 'https://a;script-src.example/', "https://a'b,c.example/"])(
    'a host that would be read as part of the page’s policy adds nothing to it: %s',
    async (url) => {
      const opened = await far.ask({ requester: alice, url });
      const visitor = await signIn(newVisitor(), people.alice);
      await prove(visitor, opened.url);
      const policy = (await visitor.get(opened.url)).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("form-action 'self' https:;");
      expect(policy).not.toContain(new URL(url).host);
    },
  );

  test.each(['HEAD', 'GET'])('a prefetching %s of the requester’s own browser decides nothing', async (method) => {
    const { id, url } = await far.ask({ requester: alice });
    const visitor = await signIn(newVisitor(), people.alice);
    const read = () => {
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      return fetch(url, { method, headers: { cookie, 'sec-purpose': 'prefetch' }, redirect: 'manual' });
    };
    expect([(await read()).status, (await far.history(id)).length]).toEqual([200, 1]);
    await prove(visitor, url);
    const before = await far.history(id);
    expect([(await read()).status, await far.history(id)]).toEqual([200, before]);
  });

  test('a form without the page’s proof, or of another page, is refused and leads nowhere', async () => {
    const [first, second] = [await far.ask({ requester: alice }), await far.ask({ requester: alice })];
    const visitor = await signIn(newVisitor(), people.alice);
    await prove(visitor, first.url);
    await prove(visitor, second.url);
    const { hidden } = await visitor.get(first.url);
    const fields = { action: 'accept', digest: hidden('digest') };
    for (const [url, proof] of [
      [first.url, ''],
      [second.url, hidden('proof')],
    ] as const) {
      const sent = await visitor.send(url, { ...fields, proof });
      expect([sent.status, sent.headers.get('location')]).toEqual([403, null]);
    }
    expect((await visitor.send(first.url, { ...fields, proof: hidden('proof') })).status).toBe(303);
  });

  test('after the end, the same form again leads nowhere', async () => {
    const { id, url } = await far.ask({ requester: alice });
    const visitor = await signIn(newVisitor(), people.alice);
    await leave(visitor, url);
    await visitor.get(url);
    await far.asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    const again = await visitor.send(url, { action: 'accept' });
    expect(again.headers.get('location')).toBe(new URL(url).pathname);
    expect((await visitor.get(url)).html).not.toContain('pay.example');
  });

  test.each([
    ['javascript:alert(1)', 'Use https'],
    ['data:text/html,x', 'Use https'],
    ['http://pay.example/', 'Use https'],
    ['https://ada:secret@pay.example/', 'Remove the user name and password'],
    ['https://pay.example\\@evil.example/', 'Write the address in its normal form'],
    ['https://pаypal.example/', 'Write the address in its normal form: https://xn--'],
  ])('%s is refused before anyone is sent there', async (url, fault) => {
    const question = { tool: { name: 't' }, arguments: {}, message: 'm', mode: 'url', audience: 'requester', url };
    const response = await far.asking.call('POST', '/v1/elicitations', { ...question, requester: alice });
    const { errors } = await json<{ errors: { message: string }[] }>(response);
    expect([response.status, errors[0]?.message]).toEqual([400, expect.stringContaining(fault)]);
  });
});

describe('the connect page of a machine of one’s own', () => {
  test('opens by the code that the client shows, in one browser at a time, and logs who had none', async () => {
    const { id, url, code } = await near.ask();
    expect(code).toMatch(/^\d{6}$/);
    const wrong = wrongOf(code);
    const [first, other] = [newVisitor(), newVisitor()];
    const refused = await prove(other, url, wrong);
    const absent = await prove(newVisitor(), `${url}x`, wrong);
    expect([refused.status, shapeOf(refused, url)]).toEqual([403, shapeOf(absent, `${url}x`)]);
    expect(await leaveBy(first, url, code)).toMatch(/^https:\/\/pay\.example\//);
    expect(await near.refusals(id)).toEqual([{ id: null, what: 'forbidden' }]);
    expect((await prove(other, url, code)).status).toBe(303);
    expect((await other.get(url)).html).toContain('pay.example');
    expect((await first.get(url)).html).not.toContain('pay.example');
  });

  test('locks a browser after five wrong codes, says so, and never whether its request has ended', async () => {
    const [open, ended] = [await near.ask(), await near.ask()];
    await near.asking.call('POST', `/v1/elicitations/${ended.id}/cancel`, {});
    const shapes = await Promise.all(
      [open, ended].map(async ({ url, code }) => {
        const visitor = newVisitor();
        await visitor.get(url);
        const shown: string[] = [];
        for (const typed of [...Array.from({ length: 6 }, () => wrongOf(code)), code])
          shown.push(shapeOf(await visitor.send(url, { action: 'prove', code: typed }), url));
        return [...shown, shapeOf(await visitor.get(url), url)];
      }),
    );
    expect(shapes[0]).toEqual(shapes[1]);
    expect(shapes[0]?.map((shape) => shape.includes('accepts a code again in 10 minutes'))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  test.each(['decline', 'cancel'])('takes a %s, with a receipt for the browser that answered', async (action) => {
    const { id, url, code } = await near.ask();
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    const { status, html } = await visitor.send(url, { action });
    expect([status, (await near.state(id)).status]).toEqual([200, action === 'decline' ? 'declined' : 'cancelled']);
    const [, receipt = ''] = /href="(\/e\/[^"]+\/receipt)" download/.exec(html) ?? [];
    expect((await visitor.get(`${near.server.url}${receipt}`)).headers.get('content-disposition')).toContain(id);
    expect((await visitor.get(url)).html).not.toContain('pay.example');
  });
});

describe('the state of an outside address', () => {
  const report = (minted: MintedToken, body: unknown): Promise<Response> =>
    fetch(minted.callbackUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  async function connect(parts: Record<string, unknown> = {}) {
    const opened = await near.ask(parts);
    const minted = await json<MintedToken>(
      near.asking.call('POST', '/v1/tokens', { session: 's', elicitation: opened.id }),
    );
    const address = await leaveBy(newVisitor(), opened.url, opened.code);
    return { ...opened, minted, address, given: new URL(address).searchParams.get('state') };
  }

  test.each([
    ['https://pay.example/', 'https://pay.example/?state='],
    ['https://pay.example/?', 'https://pay.example/?state='],
    ['https://pay.example/a?b=%2f&&c=+|', 'https://pay.example/a?b=%2f&&c=+|&state='],
    ['https://pay.example/#?', 'https://pay.example/?state='],
  ])('is added to %s, and nothing else is changed', async (url, start) => {
    const { address } = await connect({ url });
    expect(address.startsWith(start)).toBe(true);
    expect(address.slice(start.length)).toMatch(/^[\w-]{43}(#\?)?$/);
  });

  test.each([
    ['has one', { url: 'https://pay.example/?state=mine&a=1' }],
    ['is to stay as it is', { url: 'https://pay.example/?a=1&signature=x', state: false }],
  ])('is not added to an address that %s', async (_what, parts) => {
    expect((await connect(parts)).address).toBe(parts.url);
  });

  test('is never added to a signed address without a word: its author is asked', async () => {
    const url = 'https://files.example/a?X-Amz-Signature=1f';
    const response = await near.asking.call('POST', '/v1/elicitations', {
      tool: { name: 't' },
      arguments: {},
      message: 'm',
      mode: 'url',
      audience: 'requester',
      requester: { subject: 'alice' },
      url,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ path: ['state'] }] }]);
    expect((await connect({ url, state: true })).address).toMatch(/&state=[\w-]{43}$/);
  });

  test('brought back by the callback must be the one of this visit', async () => {
    const { id, minted, given } = await connect();
    const other = await connect();
    for (const state of [other.given, `${given}x`, 'x', '']) expect((await report(minted, { state })).status).toBe(403);
    expect((await near.state(id)).status).toBe('open');
    expect((await report(minted, { state: given })).status).toBe(200);
    expect((await near.state(id)).status).toBe('accepted');
  });

  test('names no one: who must be the requester is named as well', async () => {
    const requester = { subject: 'alice', verified: true };
    const { id, minted, given } = await connect({ completedBy: 'requester', requester });
    const other = await connect();
    expect((await report(minted, { state: given })).status).toBe(400);
    const named = { completedBy: { subject: 'alice' } };
    expect((await report(minted, { ...named, state: other.given })).status).toBe(403);
    expect((await near.state(id)).status).toBe('open');
    expect((await report(minted, { ...named, state: given })).status).toBe(200);
  });

  test('is proof of nothing where none was given', async () => {
    const { id, minted } = await connect({ state: false });
    for (const state of ['', 'undefined', 'x']) expect((await report(minted, { state })).status).toBe(403);
    expect((await near.state(id)).status).toBe('open');
  });
});
