import { afterAll, expect, test } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { json } from '../../support/json.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const root = await openBrowser(server, 'admin', 'password');

const deceiving = 'pay\u202Epal';

test.each<[string, string, string, Record<string, unknown>]>([
  ['a person', 'name', '/api/users', { email: 'ada@example.com', name: deceiving, role: 'approver' }],
  ['a group', 'name', '/api/groups', { name: deceiving }],
  ['the purpose of a group', 'description', '/api/groups', { name: 'payers', description: deceiving }],
  ['a space', 'name', '/api/spaces', { name: deceiving }],
  ['a role', 'name', '/api/roles', { name: deceiving, permissions: ['decide'] }],
  ['a token', 'name', '/api/admin-tokens', { name: deceiving, permissions: ['change-directory'] }],
  ['a saved view', 'name', '/api/views', { name: deceiving, filters: { view: 'mine' }, isShared: false }],
  ['the server of a key', 'server', '/api/keys', { server: deceiving }],
  ['a policy', 'document', '/api/policies', { document: `policy: a\nallow: {} # ${deceiving}\n` }],
])('%s has no name with characters that others would not see', async (_what, field, path, body) => {
  const response = await root.call('POST', path, body);
  const { errors = [] } = await json<ProblemDocument>(response);
  expect([response.status, errors.map(({ path: [first] }) => first)]).toEqual([400, [field]]);
});
