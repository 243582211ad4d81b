import { afterAll, expect, test } from '@jest/globals';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const [admin, ada] = [await openBrowser(server, 'admin'), await openBrowser(server)];

test.each(['Ada\r\nBcc: eve@example.com', 'Ada\u202Eeve', 'Ada\u200B', 'Ada\u{E0041}', 'Ada\tB'])(
  'a name that hides characters is none: %j',
  async (name) => {
    expect((await admin.call('PATCH', `/api/users/${ada.user.id}`, { name })).status).toBe(400);
    const added = { email: `${crypto.randomUUID()}@example.com`, name, role: 'approver' };
    expect((await admin.call('POST', '/api/users', added)).status).toBe(400);
  },
);

test.each(['Zoë Müller-Ångström', '李小龍', 'محمد علي', 'O’Brien'])('%s is a name', async (name) => {
  expect((await admin.call('PATCH', `/api/users/${ada.user.id}`, { name })).status).toBe(200);
});
