import { afterAll, expect, test } from '@jest/globals';
import type { ProviderState } from '#connect/checks/contract';
import { json } from '../../support/json.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { startFakePayments } from '../../support/connect/fake-payments.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';

const [payments, accounts] = [await startFakePayments({ now: Date.now }), await startFakeProvider()];
const servers = ['payments'];
const server = await startTestServer({
  outcomeProviders: [payments.settings({ servers })],
  connectProviders: [accounts.settings({ servers })],
});
const events = `${server.url}/providers/fake-payments/events`;
const operator = await server.newUser('admin');
afterAll(async () => {
  await server.stop();
  await payments.close();
  await accounts.close();
});

const list = async (): Promise<ProviderState[]> =>
  (await json<{ providers: ProviderState[] }>(operator.call('GET', '/api/providers'))).providers;

test('an operator sees each provider, what came, what was refused, and money without a request', async () => {
  const empty = { lastEvent: null, refused: { count: 0, at: null }, unmatched: [] };
  expect(await list()).toEqual([
    {
      key: 'fake',
      label: expect.any(String),
      servers,
      kinds: ['connection'],
      ...empty,
      returnAddress: `${server.url}/providers/fake/return`,
      eventAddress: null,
    },
    {
      key: 'fake-payments',
      label: expect.any(String),
      servers,
      kinds: ['payment'],
      ...empty,
      returnAddress: null,
      eventAddress: events,
    },
  ]);
  const stray = payments.makes({ reference: null, amount: 500, currency: 'eur' });
  expect(await payments.deliver(payments.pays(stray.id), events)).toEqual([200]);
  expect(await payments.deliver(payments.pays(stray.id), events, { secret: 'whsec_other' })).toEqual([401]);
  const [, listed] = await list();
  const report = { verdict: 'accept', at: expect.any(Number) };
  expect(listed).toMatchObject({
    lastEvent: report,
    unmatched: [report],
    refused: { count: 1, at: expect.any(Number) },
  });
  expect(JSON.stringify(listed)).not.toContain(stray.id);
});

test('others do not', async () => {
  const approver = await server.newUser();
  expect((await approver.call('GET', '/api/providers')).status).toBe(403);
});
