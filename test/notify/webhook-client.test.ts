import { afterAll, expect, test } from '@jest/globals';
import { createWebhookClient } from '#notify/webhooks/channel/webhooks';
import { openReceiver, reach } from './receiver.ts';

const receiver = await openReceiver();
afterAll(() => receiver.stop());

const post = (client: ReturnType<typeof createWebhookClient>) => client.post(receiver.url, {}, '{}');

test('a receiver that never answers is let go of after the time-out, and may be tried again', async () => {
  receiver.silence();
  await expect(post(createWebhookClient(reach, 200))).rejects.toMatchObject({ code: 'ABORT_ERR', isFinal: false });
  await expect(post(createWebhookClient(reach))).resolves.toBeUndefined();
});

test.each([
  [429, { 'retry-after': '7' }, { code: '429', isFinal: false, wait: 7000 }],
  [503, { 'retry-after': 'Wed, 25 Nov 2026 20:00:00 GMT' }, { code: '503', isFinal: false, wait: 0 }],
  [302, { location: 'https://localhost/elsewhere' }, { code: '302', isFinal: false }],
  [101, { connection: 'Upgrade', upgrade: 'chat' }, { code: '101', isFinal: false }],
  [410, {}, { code: '410', isFinal: true }],
])('%i with %j is a failure', async (status, headers, failure) => {
  const before = receiver.received.length;
  receiver.answer(status, 1, headers as Record<string, string>);
  await expect(post(createWebhookClient(reach))).rejects.toMatchObject(failure);
  expect(receiver.received).toHaveLength(before + 1);
});

test('an address of this machine is refused for good, unless its network is allowed', async () => {
  await expect(post(createWebhookClient({ ...reach, networks: [] }))).rejects.toMatchObject({
    code: 'address-not-allowed',
    isFinal: true,
  });
});
