import { afterAll, describe, expect, test } from '@jest/globals';
import { openReceipt } from '#audit/receipts/rules';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import { startTestServer } from '../../support/nodes/server.ts';
import { disguises, stillHidden, untold } from '../../support/disguises.ts';
import { letIn, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { json } from '../../support/json.ts';

let ahead = 0;
const server = await startTestServer({ now: () => Date.now() + ahead });
afterAll(() => server.stop());
const key = await server.newServerKey();

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const form = {
  type: 'object',
  properties: {
    seats: { type: 'integer', minimum: 1, maximum: 9 },
    note: { type: 'string', maxLength: 400, description: 'Where you would like to sit.' },
  },
  required: ['seats'],
} as const;

const ask = {
  tool: { name: 'book_table', title: 'Book a table' },
  arguments: { restaurant: 'Adler' },
  message: 'How many seats?',
  mode: 'url',
  schema: form,
  requester: { subject: 'alice' },
  session: 'session-1',
  supersede: 'none',
};

type Hosted = OpenedElicitation & { url: string; code: string };

const open = async (parts: Record<string, unknown> = {}): Promise<Hosted> => {
  const response = await post('/v1/elicitations', { ...ask, ...parts });
  const text = await response.text();
  expect([response.status, text]).toEqual([201, expect.anything()]);
  return JSON.parse(text) as Hosted;
};
const state = async (id: string): Promise<ElicitationState> => {
  const response = await fetch(`${server.url}/v1/elicitations/${id}`, { headers: { authorization: `Bearer ${key}` } });
  return await json<ElicitationState>(response);
};
const history = async (id: string): Promise<unknown[]> =>
  (await server.engine.reader.history(id as never)).map((body) => JSON.parse(Buffer.from(body).toString()) as unknown);
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('AI-04: every hidden or imitating character is spelled out', async () => {
  const { url, code } = await open({ message: disguises.map(({ text }) => text).join('\n') });
  const { html } = await letIn(newVisitor(), url, code);
  expect([untold(html), stillHidden(html)]).toEqual([[], []]);
});

describe('a question that is over', () => {
  const openIn = async (visitor: Visitor, parts: Record<string, unknown> = {}): Promise<Hosted> => {
    const opened = await open(parts);
    await letIn(visitor, opened.url, opened.code);
    return opened;
  };
  const answer = { action: 'accept', 'field.seats': '4' };

  test('says so to the requester who comes back or answers twice, with the receipt, and changes nothing', async () => {
    const visitor = newVisitor();
    const { id, url } = await openIn(visitor);
    await visitor.send(url, answer);
    const entries = await history(id);
    const again = await visitor.send(url, { ...answer, 'field.seats': '5' });
    expect([again.status, again.html]).toEqual([409, expect.stringContaining('changed nothing')]);
    const shown = await visitor.get(url);
    expect([shown.status, shown.html]).toEqual([200, expect.stringContaining('This request has been answered')]);
    expect(shown.html).not.toContain('changed nothing');
    expect(shown.html).toContain(`${new URL(url).pathname}/receipt`);
    expect([await history(id), (await state(id)).content]).toEqual([entries, { seats: 4 }]);
  });

  test('says that the tool cancelled it, or that it expired, and to no one else anything', async () => {
    const visitor = newVisitor();
    const cancelled = await openIn(visitor);
    await post(`/v1/elicitations/${cancelled.id}/cancel`, {});
    const late = await visitor.send(cancelled.url, answer);
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('This request was cancelled')]);
    const brief = await openIn(visitor, { ttl: 1_000 });
    const expired = await openIn(visitor, { ttl: 60_000 });
    ahead += 61_000;
    for (const { url } of [brief, expired])
      expect((await visitor.send(url, answer)).html).toContain('This request has expired');
    const stranger = newVisitor();
    for (const { url } of [cancelled, brief, expired]) {
      for (const { status, html } of [await stranger.get(url), await stranger.send(url, answer)])
        expect([status, html]).toEqual([400, expect.stringContaining('This link isn’t valid')]);
    }
    ahead += 3_600_000;
    expect((await visitor.get(expired.url)).html).toContain('This link isn’t valid'); // an hour later it tells nothing
    ahead = 0;
  });
});

describe('P32: the receipt of an answer on the page', () => {
  test('is for the browser that answered, after it has', async () => {
    const { id, url, code } = await open();
    const [visitor, stranger] = [newVisitor(), newVisitor()];
    await letIn(visitor, url, code);
    expect((await visitor.get(`${url}/receipt`)).html).toContain('This link isn’t valid');
    await visitor.get(url);
    const answered = await visitor.send(url, { action: 'accept', 'field.seats': '4' });
    const [, link = ''] = /href="([^"]+\/receipt)" download/.exec(answered.html) ?? [];
    expect(`${server.url}${link}`).toBe(`${url}/receipt`);
    const { html: receipt, headers } = await visitor.get(`${url}/receipt`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename=${id}.tlog-proof`);
    const { keys } = await server.logKeys();
    const entry = openReceipt(receipt, [parseVerifierKey(keys[0]?.key ?? '')])?.entry;
    expect(JSON.parse(String(entry))).toMatchObject({ elicitation: id, channel: 'page', to: 'accepted' });
    expect(await stranger.get(`${url}/receipt`)).toMatchObject({ status: 400, html: expect.not.stringContaining(id) });
  });
});

describe('the hosted page', () => {
  test('MT-05: opens with an address that tells nothing, and a code that is not in it', async () => {
    const { url, code } = await open();
    expect(url).toMatch(new RegExp(`^${server.url}/e/v1\\.test\\.[\\w-]+\\.[\\w-]{43}$`));
    expect(code).toMatch(/^\d{6}$/);
    expect(url).not.toContain(code);
    expect(url).not.toContain('session-1');
  });

  test('shows nothing of the question before the proof, and opening it changes nothing', async () => {
    const { id, url, code } = await open();
    const before = [await history(id), await state(id)];
    for (let times = 0; times < 3; times++) {
      const { status, html } = await newVisitor().get(url);
      expect(status).toBe(200);
      for (const hidden of ['seats', 'Adler', 'book', 'alice', 'payments', code, id])
        expect(html).not.toContain(hidden);
    }
    const strip = ([entries, { url: _fresh, ...rest }]: [unknown[], ElicitationState]) => [entries, rest];
    expect(strip([await history(id), await state(id)])).toEqual(strip(before as [unknown[], ElicitationState]));
  });

  test('answers with headers that block all foreign content', async () => {
    const { url } = await open();
    const { headers } = await newVisitor().get(url);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^assentry-page-.*; HttpOnly; SameSite=Lax$/)]);
  });

  test('accepts the code, then the answer, and resumes the call with it', async () => {
    const { id, url, code } = await open();
    const waiting = fetch(`${server.url}/v1/elicitations/${id}?wait=20`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const visitor = newVisitor();
    const shown = await letIn(visitor, url, code);
    for (const part of [
      'Book a table',
      'book_table',
      'Adler',
      'How many seats?',
      'payments',
      'alice',
      'Where you would like to sit.',
    ]) {
      expect(shown.html).toContain(part);
    }
    const answered = await visitor.send(url, {
      action: 'accept',
      'field.seats': ' 4 ',
      'field.note': 'by the\r\nwindow',
    });
    expect([answered.status, answered.html]).toEqual([200, expect.stringContaining('Your answer was sent')]);
    const outcome = await json<ElicitationState>(waiting);
    expect(outcome).toMatchObject({
      status: 'accepted',
      action: 'accept',
      content: { seats: 4, note: 'by the\nwindow' },
    });
    expect(outcome.url).toBeUndefined();
    expect(await history(id)).toMatchObject([
      { type: 'elicitation.opened' },
      { type: 'elicitation.visited', channel: 'page', actor: { kind: 'requester' } },
      { type: 'elicitation.answered', channel: 'page', action: 'accept', actor: { kind: 'requester' } },
    ]);
  });

  test.each([
    ['decline', 'declined', 'decline'],
    ['cancel', 'cancelled', 'cancel'],
  ])('takes a %s', async (action, status, word) => {
    const { id, url, code } = await open();
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    expect((await visitor.send(url, { action, 'field.seats': 'many' })).status).toBe(200);
    const outcome = await state(id);
    expect(outcome).toMatchObject({ status, action: word });
    expect(outcome.content).toBeUndefined();
  });

  test('shows what is wrong at the field and keeps what was typed', async () => {
    const { id, url, code } = await open();
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    const refused = await visitor.send(url, {
      action: 'accept',
      'field.seats': '12',
      'field.note': 'a "quiet" <place>',
    });
    expect(refused.status).toBe(400);
    expect(refused.html.indexOf('field.seats')).toBeLessThan(refused.html.indexOf('field.note'));
    expect(refused.html).toContain('Must be at most 9.');
    expect(refused.html).toContain('value="12"');
    expect(refused.html).toContain('a &#34;quiet&#34; &#60;place&#62;');
    expect(refused.html).toMatch(
      /id="field-0"[^>]*aria-describedby="field-0-rule field-0-error"[^>]*aria-invalid="true"/,
    );
    expect((await state(id)).status).toBe('open');
    const answered = await visitor.send(url, { action: 'accept', 'field.seats': '2' });
    expect(answered.status).toBe(200);
    expect(await state(id)).toMatchObject({ content: { seats: 2 } });
  });

  test('serves a form of form mode through a link made for it', async () => {
    const { id } = await open({ mode: 'form' });
    const minted = await post('/v1/tokens', { session: 'session-1', purpose: 'page', elicitation: id });
    const { pageUrl, callbackUrl, code } = await json<MintedToken>(minted);
    expect([minted.status, callbackUrl]).toEqual([201, null]);
    const visitor = newVisitor();
    await letIn(visitor, pageUrl ?? '', code ?? '');
    await visitor.send(pageUrl ?? '', { action: 'accept', 'field.seats': '3' });
    expect(await state(id)).toMatchObject({ status: 'accepted', content: { seats: 3 } });
  });

  test('is over with a link that ends before its question, also for who was let in by it', async () => {
    const { id } = await open({ mode: 'form', ttl: 600_000 });
    const sent = { session: 'session-1', purpose: 'page', elicitation: id, ttl: 60_000 };
    const { pageUrl, code } = await json<MintedToken>(post('/v1/tokens', sent));
    const visitor = newVisitor();
    await letIn(visitor, pageUrl ?? '', code ?? '');
    ahead += 61_000;
    const answered = await visitor.send(pageUrl ?? '', { action: 'accept', 'field.seats': '3' });
    expect([answered.status, answered.html]).toEqual([400, expect.stringContaining('This link isn’t valid')]);
    expect((await visitor.get(pageUrl ?? '')).html).toContain('This link isn’t valid');
    expect((await state(id)).status).toBe('open');
    ahead = 0;
  });

  test('without a schema accepts a plain yes', async () => {
    const { schema: _schema, ...plain } = ask;
    const response = await post('/v1/elicitations', plain);
    const { id, url, code } = await json<Hosted>(response);
    const visitor = newVisitor();
    expect((await letIn(visitor, url, code)).html).toContain('>Accept</button>');
    await visitor.send(url, { action: 'accept' });
    expect(await state(id)).toMatchObject({ status: 'accepted', action: 'accept' });
  });

  test('never sends a typed secret back', async () => {
    const schema = { type: 'object', properties: { apiKey: { type: 'string' }, n: { type: 'integer' } } };
    const { url, code } = await open({ schema });
    const visitor = newVisitor();
    expect((await letIn(visitor, url, code)).html).toContain('type="password"');
    const refused = await visitor.send(url, { action: 'accept', 'field.apiKey': 'sk_live_12345', 'field.n': 'x' });
    expect(refused.status).toBe(400);
    expect(refused.html).not.toContain('sk_live_12345');
  });

  test('binds the answer to what was seen', async () => {
    const { id, url, code } = await open();
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    const refused = await visitor.send(url, { action: 'accept', 'field.seats': '2', digest: '0'.repeat(64) });
    expect(refused.status).toBe(412);
    expect((await state(id)).status).toBe('open');
  });
});

describe('the code', () => {
  test('of no page is accepted in a form made by hand, with the cookie of another page', async () => {
    const [{ id, url, code }, other] = [await open(), await open()];
    const visitor = newVisitor();
    await visitor.get(other.url);
    expect((await visitor.send(url, { action: 'prove', code })).status).toBe(403);
    expect(await history(id)).toHaveLength(1);
  });

  test('of one question does not open another', async () => {
    const [first, other] = [await open(), await open()];
    const visitor = newVisitor();
    await visitor.get(other.url);
    const code = first.code === other.code ? wrong(first.code) : first.code;
    expect((await visitor.send(other.url, { action: 'prove', code })).status).toBe(403);
  });

  test('changes the secret of the browser that gets in', async () => {
    const { url, code } = await open();
    const visitor = newVisitor();
    await visitor.get(url);
    const planted = [...visitor.cookies.values()];
    await letIn(visitor, url, code);
    expect([...visitor.cookies.values()]).not.toEqual(planted);
  });
});

describe('a form from elsewhere', () => {
  test.each<[string, (fields: { proof: string }) => [Record<string, string>, Record<string, string>]]>([
    ['without the anti-forgery value', () => [{ proof: '' }, {}]],
    [
      'with another anti-forgery value',
      ({ proof }) => [{ proof: `${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}` }, {}],
    ],
    ['from another site', ({ proof }) => [{ proof }, { 'sec-fetch-site': 'cross-site' }]],
    ['from a sister site', ({ proof }) => [{ proof }, { 'sec-fetch-site': 'same-site' }]],
  ])('%s changes nothing', async (_what, forge) => {
    const { id, url, code } = await open();
    const visitor = newVisitor();
    const shown = await letIn(visitor, url, code);
    const [fields, headers] = forge({ proof: shown.hidden('proof') });
    const refused = await visitor.send(url, { action: 'accept', 'field.seats': '1', ...fields }, headers);
    expect(refused.status).toBe(403);
    expect((await state(id)).status).toBe('open');
  });

  test('with the value of another browser, or of another question, changes nothing', async () => {
    const [first, other] = [await open(), await open()];
    const [visitor, stranger] = [newVisitor(), newVisitor()];
    await letIn(visitor, first.url, first.code);
    const { hidden } = await stranger.get(first.url);
    const sent = { action: 'accept', 'field.seats': '1' };
    expect((await visitor.send(first.url, { ...sent, proof: hidden('proof') })).status).toBe(403);
    const elsewhere = await letIn(visitor, other.url, other.code);
    expect((await visitor.send(first.url, { ...sent, proof: elsewhere.hidden('proof') })).status).toBe(403);
    expect([(await state(first.id)).status, (await state(other.id)).status]).toEqual(['open', 'open']);
  });

  test('of another content type is refused', async () => {
    const { url, code } = await open();
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    const refused = await visitor.send(url, { action: 'accept' }, { 'content-type': 'text/plain' });
    expect(refused.status).toBe(415);
  });
});

describe('F-29, F-32: a link that is not valid', () => {
  const flip = (text: string, at: number): string => {
    const other = text[at] === 'A' ? 'B' : 'A';
    return text.slice(0, at) + other + text.slice(at + 1);
  };

  test('reads the same whatever is wrong with it, and changes nothing', async () => {
    const { id, url, code } = await open();
    const token = url.split('/e/')[1] ?? '';
    const parts = token.split('.');
    const starts = parts.map((_part, index) => parts.slice(0, index).join('.').length + (index > 0 ? 1 : 0));
    const tampered = starts.flatMap((start, index) =>
      [start, start + (parts[index]?.length ?? 1) - 1].map((at) => flip(token, at)),
    );
    const callback = await json<MintedToken>(post('/v1/tokens', { session: 'session-1' }));
    const unbound = await json<MintedToken>(post('/v1/tokens', { session: 'session-1', purpose: 'page' }));
    const used = await open();
    const visitor = newVisitor();
    await letIn(visitor, used.url, used.code);
    await visitor.send(used.url, { action: 'accept', 'field.seats': '1' });
    const entries = await history(used.id);
    const links = [
      ...tampered.map((text) => `${server.url}/e/${text}`),
      ...['', 'x', `${token}.x`, 'a'.repeat(5000), '%zz'].map((text) => `${server.url}/e/${text}`),
      `${server.url}/e/${callback.token}`,
      unbound.pageUrl ?? '',
      used.url,
    ];
    const bodies = new Set<string>();
    const plain = (html: string): string => html.replaceAll(/nonce="[^"]*"/g, '');
    for (const link of links) {
      const from = link === used.url ? newVisitor() : visitor; // who used it is told so
      const shown = await from.get(link);
      const sent = await from.send(link, { action: 'accept', 'field.seats': '2', code });
      if (link !== `${server.url}/e/`) expect([link, shown.status, sent.status]).toEqual([link, 400, 400]);
      bodies.add(plain(shown.html)).add(plain(sent.html));
    }
    expect([bodies.size, [...bodies].every((body) => body.includes('This link isn’t valid'))]).toEqual([1, true]);
    expect(await history(id)).toHaveLength(1);
    expect(await history(used.id)).toEqual(entries);
    expect(await state(used.id)).toMatchObject({ content: { seats: 1 } });
  });

  test('is one that another installation made', async () => {
    const foreign = await startTestServer({
      secrets: [{ kid: 'test', secret: 'another-secret-of-enough-characters' }],
    });
    try {
      const response = await fetch(`${foreign.url}/v1/elicitations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await foreign.newServerKey()}`, 'content-type': 'application/json' },
        body: JSON.stringify(ask),
      });
      const { url } = await json<Hosted>(response);
      const shown = await newVisitor().get(url.replace(foreign.url, server.url));
      expect([shown.status, shown.html]).toEqual([400, expect.stringContaining('This link isn’t valid')]);
    } finally {
      await foreign.stop();
    }
  });
});
