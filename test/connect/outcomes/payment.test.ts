import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { lookAtProviders } from '#connect/outcomes/verbs/settle';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { query } from '../../support/databases/embedded.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { runs } from '../../support/runs.ts';
import { startFakePayments, type FakeSession } from '../../support/connect/fake-payments.ts';

let ahead = 0;
const now = () => Date.now() + ahead;
const provider = await startFakePayments({ now });
const settings = provider.settings({ servers: ['payments'] });
const server = await startTestServer({ outcomeProviders: [settings], now });
afterAll(async () => {
  await server.stop();
  await provider.close();
});
const asking = askingAt(server.url, await server.newServerKey());
const events = `${server.url}/providers/fake-payments/events`;
const requester = { subject: 'client:test' };
const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1042' };
beforeEach(() => {
  ahead = 0;
  provider.forgets(false);
  provider.isDown(false);
});

type Asked = OpenedElicitation & { url: string; code: string };

const ask = (parts: object = {}) =>
  asking.open({
    mode: 'url',
    schema: undefined,
    audience: undefined,
    message: 'Pay.',
    requester,
    expects,
    ttl: 3_600_000,
    ...parts,
  }) as Promise<Asked>;

const state = (id: string) => json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${id}`));
const history = async (id: string) =>
  (await server.engine.reader.history(id as never)).map(
    (body) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>,
  );

/** The entries of this type, of whatever request. */
const entriesOf = async (type: string) =>
  (
    await query(
      server.databaseUrl,
      `SELECT convert_from(body, 'UTF8') AS body FROM audit_entry WHERE convert_from(body, 'UTF8') LIKE '%"${type}"%'`,
    )
  ).map((body) => JSON.parse(String(body)) as Record<string, unknown>);

/** The person goes to the checkout; the session that was made there. */
async function goToPay(request: Asked): Promise<{ session: FakeSession; browser: ReturnType<typeof newVisitor> }> {
  const browser = newVisitor();
  await letIn(browser, request.url, request.code);
  const left = await browser.send(request.url, { action: 'accept' });
  const session = provider.sessions().at(-1);
  if (!session) throw new TypeError('no session was made');
  expect(left.headers.get('location')).toBe(session.url);
  return { session, browser };
}

test('shows what will be paid, to whom and where, and resumes the call once the provider says that it was', async () => {
  const request = await ask();
  const page = newVisitor();
  const shown = await letIn(page, request.url, request.code);
  expect(shown.html).toContain('Pay 100.00 EUR');
  expect(shown.html).toContain('Order 1042');
  const { session, browser } = await goToPay(request);
  expect((await browser.get(session.success_url)).status).toBe(303);
  expect(await provider.deliver(provider.pays(session.id), events)).toEqual([200]);
  const { status, content } = await state(request.id);
  expect(status).toBe('accepted');
  expect(content).toMatchObject({ provider: 'fake-payments', object: session.id, amount: '100.00', currency: 'EUR' });
  expect((await history(request.id)).at(-1)).toMatchObject({ type: 'elicitation.answered', provider: 'fake-payments' });
});

test('counts an event once, however often it comes', async () => {
  const request = await ask();
  const { session } = await goToPay(request);
  const paid = provider.pays(session.id);
  expect(await provider.deliver(paid, events, { times: 3 })).toEqual([200, 200, 200]);
  expect((await history(request.id)).filter(({ to }) => to === 'accepted')).toHaveLength(1);
});

describe('ends as a mismatch, and runs nothing, if', () => {
  test.each([
    ['less was paid', { amount: 1 }, ['amount']],
    ['more was paid', { amount: 10_001 }, ['amount']],
    ['it was another currency', { currency: 'usd' }, ['currency']],
    ['it was test money', { livemode: false }, ['isLive']],
    ['another account got it', { account: 'acct_connected' }, ['payee']],
  ])('%s', async (_name, lies, differs) => {
    const request = await ask();
    const { session } = await goToPay(request);
    expect(await provider.deliver(provider.pays(session.id, lies), events)).toEqual([200]);
    expect(await state(request.id)).toMatchObject({ status: 'cancelled', cause: 'mismatch' });
    const entries = await history(request.id);
    expect(entries.find(({ type }) => type === 'elicitation.mismatch')).toMatchObject({ differs });
    expect(entries.at(-1)).toMatchObject({ type: 'callback.unfit' });
  });
});

describe('takes nothing', () => {
  test.each([
    ['with another key', { secret: 'whsec_other' }],
    ['that was changed by one byte', { changes: (body: string) => body.replace('"paid"', '"Paid"') }],
    ['that is too old', { age: 3_600_000 }],
  ])('%s', async (_name, delivery) => {
    const request = await ask();
    const { session } = await goToPay(request);
    expect(await provider.deliver(provider.pays(session.id), events, delivery)).toEqual([401]);
    expect((await state(request.id)).status).toBe('open');
  });

  test('at an address of no provider', async () => {
    const request = await ask();
    const { session } = await goToPay(request);
    const other = `${server.url}/providers/other/events`;
    expect(await provider.deliver(provider.pays(session.id), other)).toEqual([401]);
  });
});

test('an event of no request is written down', async () => {
  const session = provider.makes({ reference: null, amount: 500, currency: 'eur' });
  const paid = provider.pays(session.id);
  expect(await provider.deliver(paid, events, { times: 2 })).toEqual([200, 200]);
  const entries = await entriesOf('provider.unmatched');
  expect(entries).toMatchObject([{ provider: 'fake-payments', said: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(JSON.stringify(entries)).not.toContain(session.id);
});

test('an event that reaches two nodes at once settles its request once', async () => {
  const other = await startTestServer({ databaseUrl: server.databaseUrl, outcomeProviders: [settings], now });
  const addresses = [events, `${other.url}/providers/fake-payments/events`];
  for (let round = 0; round < runs(40); round += 1) {
    const request = await ask();
    const { session } = await goToPay(request);
    const paid = provider.pays(session.id);
    const statuses = await Promise.all(addresses.map((address) => provider.deliver(paid, address)));
    expect(statuses).toEqual([[200], [200]]);
    expect((await state(request.id)).status).toBe('accepted');
    const types = (await history(request.id)).map(({ type, to }) => `${String(type)} ${String(to)}`);
    expect(types.filter((type) => type.endsWith('accepted'))).toEqual(['elicitation.answered accepted']);
    expect(types.filter((type) => type.startsWith('callback.'))).toEqual([]);
  }
  await other.stop();
});

test('money that comes after the end is written down with its request', async () => {
  const request = await ask();
  const { session } = await goToPay(request);
  await asking.call('POST', `/v1/elicitations/${request.id}/cancel`, {});
  expect(await provider.deliver(provider.pays(session.id), events, { times: 2 })).toEqual([200, 200]);
  expect((await state(request.id)).status).toBe('cancelled');
  expect((await history(request.id)).filter(({ type }) => type === 'callback.late')).toHaveLength(1);
});

describe('the deadline', () => {
  test('ends what no one began', async () => {
    const request = await ask({ ttl: 60_000 });
    ahead = 60_001;
    expect((await state(request.id)).status).toBe('expired');
  });

  test('waits for the provider where someone is, and asks it if no event comes', async () => {
    const request = await ask();
    const { session } = await goToPay(request);
    provider.forgets();
    provider.pays(session.id);
    ahead = 3_600_001;
    expect((await state(request.id)).status).toBe('open');
    await lookAtProviders(server.engine);
    expect((await state(request.id)).status).toBe('accepted');
    expect((await history(request.id)).map(({ type }) => type)).toContain('elicitation.settling');
  });

  test('is not the end of a debit that takes days', async () => {
    const request = await ask();
    const { session } = await goToPay(request);
    await provider.deliver(provider.isProcessing(session.id), events);
    ahead = 3 * 86_400_000;
    expect((await state(request.id)).status).toBe('open');
    await provider.deliver(provider.pays(session.id), events);
    expect((await state(request.id)).status).toBe('accepted');
  });

  test('asks the provider as long as the request is open, though no node ran at the deadline', async () => {
    const request = await ask();
    const { session } = await goToPay(request);
    provider.forgets();
    provider.pays(session.id);
    provider.isDown();
    ahead = 17 * 86_400_000;
    await lookAtProviders(server.engine);
    expect((await state(request.id)).status).toBe('open');
    provider.isDown(false);
    ahead += 3_600_001;
    await lookAtProviders(server.engine);
    expect((await state(request.id)).status).toBe('accepted');
  });

  test('says that no one knows if the provider never says it', async () => {
    const request = await ask();
    await goToPay(request);
    provider.isDown();
    ahead = 3_600_001;
    const faults: unknown[] = [];
    await lookAtProviders(server.engine, (fault) => faults.push(fault));
    expect(faults).toContainEqual({ provider: 'fake-payments', code: 'provider-unavailable' });
    expect((await state(request.id)).status).toBe('open');
    ahead = 15 * 86_400_000;
    expect(await state(request.id)).toMatchObject({ status: 'cancelled', cause: 'unsettled' });
  });
});

test('a page that is left twice leads to one session', async () => {
  const before = provider.sessions().length;
  const request = await ask();
  const { browser, session } = await goToPay(request);
  await browser.get(request.url);
  expect((await browser.send(request.url, { action: 'accept' })).headers.get('location')).toBe(session.url);
  expect(provider.sessions().length - before).toBe(1);
});

test('a checkout that expires there ends the request', async () => {
  const request = await ask();
  const { session } = await goToPay(request);
  await provider.deliver(provider.expires(session.id), events);
  expect(await state(request.id)).toMatchObject({ status: 'cancelled', cause: 'user' });
});
