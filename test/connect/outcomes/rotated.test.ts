import { expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { freshDatabase } from '../../support/databases/database.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';
import { startFakePayments } from '../../support/connect/fake-payments.ts';

test('an event that names its session alone finds the request from before a rotation of secrets', async () => {
  const secrets = [
    { kid: 'k1', secret: 'the-first-secret-of-this-installation' },
    { kid: 'k2', secret: 'the-second-secret-of-this-installation' },
  ];
  const [provider, database] = [await startFakePayments({ now: Date.now }), await freshDatabase()];
  const outcomeProviders = [provider.settings({ servers: ['payments'] })];
  const options = { databaseUrl: database.url, outcomeProviders };
  const before = await startTestServer({ ...options, secrets: secrets.slice(0, 1) });
  const key = await before.newServerKey();
  const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1' };
  const request = (await askingAt(before.url, key).open({
    mode: 'url',
    message: 'Pay.',
    requester: { subject: 'client:test' },
    expects,
    schema: undefined,
    audience: undefined,
  })) as OpenedElicitation & { url: string; code: string };
  await leaveBy(newVisitor(), request.url, request.code);
  await before.stop();
  const after = await startTestServer({ ...options, secrets });
  await after.secrets.rotate();
  const session = provider.sessions().at(-1);
  const paid = provider.pays(session?.id ?? '', { client_reference_id: null });
  expect(await provider.deliver(paid, `${after.url}/providers/fake-payments/events`)).toEqual([200]);
  const state = json<OpenedElicitation>(askingAt(after.url, key).call('GET', `/v1/elicitations/${request.id}`));
  expect(await state).toMatchObject({ status: 'accepted' });
  await after.stop();
  await database.drop();
  await provider.close();
});
