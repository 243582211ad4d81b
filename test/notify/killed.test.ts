import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { spawnNode, type NodeOptions } from '../support/nodes/node-process.ts';
import { until } from '../support/poll.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';
import { openMailBox, type MailBox } from './mail-box.ts';
import { openPushBrowser } from './push-browser.ts';
import { openReceiver, reach, type Receiver } from './receiver.ts';

let box: MailBox;
let receiver: Receiver;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let key: string;
let server: TestServer;
let browser: Browser;
beforeEach(async () => {
  [box, receiver, database] = [await openMailBox(), await openReceiver(), await freshDatabase()];
  server = await startTestServer({ databaseUrl: database.url });
  key = await server.newServerKey();
  browser = await openBrowser(server);
});
afterEach(async () => {
  await server?.stop();
  await receiver?.stop();
  await box?.stop();
  await database?.drop();
});

/** Asks for two things at the only node, which is killed after the first has been told; returns their ids. */
async function askAndKill(options: NodeOptions, isTold: () => boolean): Promise<string[]> {
  await server.stop();
  const doomed = await spawnNode(database.url, options);
  const asking = askingAt(doomed.url, key);
  try {
    const first = await asking.open();
    await until(isTold);
    return [first.id, (await asking.open()).id];
  } finally {
    await doomed.kill();
  }
}

/** Another node, when what the dead one held is due again. */
async function goOn(options: NodeOptions, isTold: () => boolean | Promise<boolean>): Promise<void> {
  const now = (): number => Date.now() + 121_000;
  const next = await startTestServer({ databaseUrl: database.url, ...options, now });
  await until(isTold).finally(() => next.stop());
}

test('if a node is killed in the middle of a delivery, another sends the same mail; nothing is lost', async () => {
  const options = { smtp: box.settings };
  box.silence();
  const [first, later] = await askAndKill(options, () => box.received.length > 0);
  const about = (id = '') => box.to(browser.user.email).filter(({ source }) => source.includes(id));
  await goOn(options, () => about(first).length === 2 && about(later).length > 0);
  expect(about(first).map(({ id }) => id)).toEqual([about(first)[0]?.id, about(first)[0]?.id]);
});

test('the same holds for a browser', async () => {
  const options = { webhooks: reach };
  const phone = await openPushBrowser(receiver, browser);
  receiver.silence();
  const [first, later] = await askAndKill(options, () => receiver.received.length > 0);
  const count = async (id = '') => (await phone.read()).filter(({ path }) => path.includes(id)).length;
  await goOn(options, async () => (await count(first)) === 2 && (await count(later)) > 0);
});

test('the same holds for a webhook, whatever its format', async () => {
  const options = { webhooks: reach };
  await server.webhooks.add(new URL('/standard', receiver.url).href);
  await server.webhooks.add(new URL('/card', receiver.url).href, { format: 'msteams' });
  receiver.silence(2);
  const [first, later] = await askAndKill(options, () => receiver.received.length > 1);
  const about = (path: string, id = '') =>
    receiver.received.filter((call) => call.path === path && call.body.includes(id));
  const isTold = (path: string) => about(path, first).length === 2 && about(path, later).length > 0;
  await goOn(options, () => isTold('/standard') && isTold('/card'));
  const [id, repeated] = about('/standard', first).map(({ headers }) => headers['webhook-id']);
  expect(repeated).toBe(id);
});
