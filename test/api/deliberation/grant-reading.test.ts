import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GrantList } from '#protocol/contract/console/grant';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

let server: TestServer;
let asking: Asking;
let ada: Browser;
let admin: Browser;
beforeAll(async () => {
  server = await startTestServer();
  asking = askingAt(server.url, await server.newServerKey());
  [ada, admin] = [await openBrowser(server), await openBrowser(server, 'admin')];
  await newGroup(server, 'readers', [ada]);
  await publish(
    server,
    `policy: read
match: { tool: read }
require:
  stages: [{ name: One, approvers: { group: readers } }]
  grant: { longest: 8h, review: 1h }`,
  );
});
afterAll(() => server?.stop());

const grantsOf = async (by: Browser) => json<GrantList>(by.call('GET', '/api/grants'));

/** Ada allows the same again for an hour. */
async function allow(subject: string): Promise<string> {
  const requester = { subject, verified: true };
  const { id, digest } = await asking.open({ tool: { name: 'read' }, requester, arguments: { to: 'DE02' } });
  const vote = { action: 'accept', digest, content: {}, allowFor: 3_600_000 };
  expect((await ada.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
  return id;
}

test('what one is bound to is shown, and confirmed, by those who gave a reason if they need one to read its request', async () => {
  const request = await allow('alice');
  const shownTo = async (by: Browser) => (await grantsOf(by)).grants.find(({ elicitation }) => elicitation === request);
  const confirm = async () => (await admin.call('POST', `/api/grants/${(await shownTo(ada))?.id}/review`)).status;
  const bound = { isHidden: false, requester: 'alice', same: { to: 'DE02' } };
  expect(await shownTo(ada)).toMatchObject(bound);
  expect(await shownTo(admin)).toMatchObject({ isHidden: true, requester: null, same: {} });
  expect(await confirm()).toBe(403);
  await admin.call('POST', `/api/elicitations/${request}/look`, { reason: 'The yearly audit.' });
  expect(await shownTo(admin)).toMatchObject(bound);
  expect(await confirm()).toBe(200);
});
