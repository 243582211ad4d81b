import { afterAll, expect, test } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveUnreadable } from '../../support/requests/unreadable-policy.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const ada = await openBrowser(server);

const problem = (response: Response) => json<ProblemDocument>(response);
const ask = () => asking.call('POST', '/v1/elicitations', { ...question, call: 'one' });

test('P28 a version in shadow that cannot be read stops nothing', async () => {
  await leaveUnreadable(server, 'watching', 'shadow');
  expect((await asking.open()).status).toBe('open');
});

test('P28 a published version that cannot be read stops what would be decided by it, and says which it is', async () => {
  const { id } = await asking.open();
  await leaveUnreadable(server, 'unreadable', 'published');
  const refused = await ask();
  expect([refused.status, await problem(refused)]).toMatchObject([
    503,
    {
      code: 'policy-unreadable',
      detail: expect.stringMatching(/^Ask an administrator to publish another version of unreadable@1:/),
    },
  ]);
  const simulated = await (
    await openBrowser(server, 'admin')
  ).call('POST', '/api/policies/simulate', {
    document: 'policy: any\ndeny: { reason: No. }\n',
  });
  expect((await problem(simulated)).detail).toContain('unreadable@1');
  // People go on with what was asked before, under the version that it keeps.
  expect((await ada.show(id)).status).toBe('open');
  const { digest } = await ada.show(id);
  const voted = await ada.vote({ id, digest });
  expect(voted.status).toBe(200);
  await publish(server, 'policy: unreadable\nmatch: { tool: none }\ndeny: { reason: No. }\n');
  expect((await ask()).status).toBe(201);
});
