import { afterAll, expect, test } from '@jest/globals';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey('hotels'));
const approver = await openBrowser(server);
await publish(server, 'policy: reading-tools\nallow: { ceiling: low }');

test('the question of a reading tool to its requester is read and answered by no one else', async () => {
  const opened = await asking.open({
    tool: { name: 'find_hotel', annotations: { readOnlyHint: true } },
    audience: 'requester',
    schema: { type: 'object', properties: { need: { type: 'string' } }, required: ['need'] },
  });
  expect(opened).toMatchObject({ status: 'open', audience: 'requester' });
  expect((await approver.call('GET', `/api/elicitations/${opened.id}`)).status).toBe(404);
  const content = { need: 'A room without stairs' };
  const answer = await asking.call('POST', `/v1/elicitations/${opened.id}/answer`, { action: 'accept', content });
  expect(answer.status).toBe(200);
  const state = await asking.call('GET', `/v1/elicitations/${opened.id}`);
  expect(await state.json()).toMatchObject({ status: 'accepted', content });
});
