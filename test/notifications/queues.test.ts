import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '#core/crypto/random';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';
import { until } from '../support/poll.ts';
import { openReceiver, reach, type Receiver } from './receiver.ts';

let silent: Server;
const sockets = new Set<Socket>();
let receiver: Receiver;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  receiver = await openReceiver();
  const smtp = { host: '127.0.0.1', port, isSecure: false, isLocal: true, auth: null, from: 'assentry@example.com' };
  server = await startTestServer({ smtp, webhooks: reach });
  browser = await openBrowser(server);
  await server.webhooks.add(receiver.url);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent?.close();
  await server?.stop();
  await receiver?.stop();
});

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
