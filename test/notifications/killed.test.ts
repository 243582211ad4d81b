import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askingAt } from '../support/asking.ts';
import { openBrowser } from '../support/console.ts';
import { spawnNode } from '../support/node-process.ts';
import { until } from '../support/poll.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openMailBox, type MailBox } from './mail-box.ts';

let box: MailBox;
/** Sends no mail. */
let server: TestServer;
beforeAll(async () => {
  box = await openMailBox();
  server = await startTestServer();
});
afterAll(async () => {
  await server?.stop();
  await box?.stop();
});

test('if a node is killed in the middle of a delivery, another sends the same mail; nothing is lost', async () => {
  const asking = askingAt(server.url, await server.newServerKey());
  const ada = await openBrowser(server);
  box.silence();
  const doomed = await spawnNode(server.databaseUrl, { smtp: box.settings });
  const { id } = await asking.open();
  await until(() => box.received.length === 1, { within: 20_000 });
  await doomed.kill();
  // Asked while no one plans, and while the dead node could still be sending.
  const later = await asking.open();
  expect(await server.engine.notifications.take('email', Date.now() + 60_000, Date.now() + 60_001, 1)).toEqual([]);
  const now = (): number => Date.now() + 121_000;
  const next = await startTestServer({ databaseUrl: server.databaseUrl, smtp: box.settings, now });
  await until(() => box.received.length === 3);
  const about = (request: string) => box.to(ada.user.email).filter(({ source }) => source.includes(request));
  expect(about(id).map((mail) => mail.id)).toEqual([about(id)[0]?.id, about(id)[0]?.id]);
  expect(about(later.id)).toHaveLength(1);
  await next.stop();
}, 60_000);
