import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { newId } from '#platform/crypto/random';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser } from '../support/nodes/console.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { until } from '../support/poll.ts';
import { openReceiver, reach } from './receiver.ts';

const sockets = new Set<Socket>();
const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port } = silent.address() as AddressInfo;
const receiver = await openReceiver();
const smtp = { host: '127.0.0.1', port, isSecure: false, isLocal: true, auth: null, from: 'assentry@example.com' };
const server = await startTestServer({ smtp, webhooks: reach });
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await server.stop();
  await receiver.stop();
});
const browser = await openBrowser(server);
await server.webhooks.add(receiver.url);

test('mails that no mail server takes keep no webhook waiting', async () => {
  const { notifications, now } = server.engine;
  const mails = Array.from({ length: 60 }, (_, at) => ({
    id: newId('notification'),
    elicitationId: null,
    channel: 'email' as const,
    target: browser.user.id,
    kind: 'test' as const,
    occasion: String(at),
    dueAt: now() - 1000,
  }));
  await notifications.add(mails, now());
  const { id } = await askingAt(server.url, await server.newServerKey()).open();
  await until(() => sockets.size > 0);
  await until(() => receiver.received.some(({ body }) => body.includes(id)));
  const waiting = await notifications.list({ state: 'due', channel: 'email', limit: 100 });
  expect(waiting.filter(({ kind }) => kind === 'test')).toHaveLength(60);
});
