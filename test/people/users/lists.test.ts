import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PolicyList } from '#policies/contract/documents';
import type { KeyList } from '#access/keys/contract/key';
import type { GroupList, ServerList, UserList } from '#people/users/contract';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const [admin, ada, rob] = (await Promise.all([
  openBrowser(two.nodes[0], 'admin'),
  openBrowser(two.nodes[0]),
  openBrowser(two.nodes[0], 'reviewer'),
])) as [Browser, Browser, Browser];

const users = (by: Browser, query = '') => json<UserList>(by.call('GET', `/api/users${query}`));
const keys = (by: Browser, query = '') => json<KeyList>(by.call('GET', `/api/keys${query}`));
const by = { admin: () => admin, ada: () => ada, rob: () => rob };

describe('what a person may read of others', () => {
  beforeAll(async () => {
    const changes = { subjects: ['auth0|ada'], chatMember: 'U0000ADA' };
    await admin.call('PATCH', `/api/users/${ada.user.id}`, changes);
    await admin.call('POST', '/api/keys', { server: 'owned' });
    await admin.call('POST', '/api/keys', { server: 'other' });
    const { servers } = await json<ServerList>(admin.call('GET', '/api/servers'));
    const owned = servers.find(({ name }) => name === 'owned');
    const response = await admin.call('PATCH', `/api/servers/${owned?.id}`, { ownerId: ada.user.id });
    expect(response.status).toBe(200);
  });

  const names = { subjects: ['auth0|ada'], chatMember: 'U0000ADA' };
  const nothing = { subjects: [], chatMember: null };
  test.each([
    ['admin', true, names],
    ['ada', false, names], // their own
    ['rob', false, nothing],
  ] as const)('%s reads names at MCP clients and Slack: all are told: %j, of ada %j', async (reader, isFull, shown) => {
    const list = await users(by[reader]());
    expect(list.isFull).toBe(isFull);
    expect(list.users.find(({ id }) => id === ada.user.id)).toMatchObject({ email: ada.user.email, ...shown });
  });

  test('an approver reads no one else’s', async () => {
    await admin.call('PATCH', `/api/users/${rob.user.id}`, { subjects: ['auth0|rob'] });
    expect((await users(ada)).users.find(({ id }) => id === rob.user.id)).toMatchObject(nothing);
    const text = await (await ada.call('GET', '/api/users')).text();
    expect(text).not.toContain('auth0|rob');
  });

  test('an approver reads not whom to attack: who may override, who set no password, who is disabled; readers of the log see the last', async () => {
    const [breaker, former] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0])];
    await admin.call('PATCH', `/api/users/${breaker.user.id}`, { mayBreakGlass: true });
    await admin.call('PATCH', `/api/users/${former.user.id}`, { disabled: true });
    await two.query('UPDATE app_user SET password_hash = NULL, epoch = epoch WHERE id = $1', [breaker.user.id]);
    const seenBy = async (reader: Browser) => {
      const list = (await users(reader, '?limit=200')).users;
      const shown = list.find(({ id }) => id === breaker.user.id);
      return [shown?.mayBreakGlass, shown?.hasPassword, list.some(({ id }) => id === former.user.id)];
    };
    expect(await seenBy(ada)).toEqual([false, true, false]);
    expect(await seenBy(rob)).toEqual([false, true, true]);
    expect(await seenBy(admin)).toEqual([true, false, true]);
    expect((await users(ada, `?q=${former.user.email}`)).users).toEqual([]);
    expect((await users(breaker)).users.find(({ id }) => id === breaker.user.id)?.mayBreakGlass).toBe(true);
  });

  test.each([
    ['admin', true, ['other', 'owned']],
    ['ada', false, ['owned']],
    ['rob', false, []],
  ] as const)('%s reads keys: all are told: %j, of the two servers %j', async (reader, isFull, expected) => {
    const list = await keys(by[reader]());
    expect(list.isFull).toBe(isFull);
    const listed = list.keys.map(({ server }) => server.name).filter((name) => ['other', 'owned'].includes(name));
    expect(listed.toSorted()).toEqual(expected);
    if (!isFull) expect(list.keys.map(({ server }) => server.name)).toEqual(expected);
  });
});

describe('lists in pages', () => {
  interface Page {
    names: string[];
    next: string | null;
  }
  const lists: Record<string, (query: string) => Promise<Page>> = {
    async users(query) {
      const { users: items, next } = await users(admin, query);
      return { names: items.map(({ name }) => name), next };
    },
    async groups(query) {
      const { groups, next } = await json<GroupList>(admin.call('GET', `/api/groups${query}`));
      return { names: groups.map(({ name }) => name), next };
    },
    async servers(query) {
      const { servers, next } = await json<ServerList>(admin.call('GET', `/api/servers${query}`));
      return { names: servers.map(({ name }) => name), next };
    },
    async keys(query) {
      const { keys: items, next } = await keys(admin, query);
      return { names: items.map(({ server }) => server.name), next };
    },
    async policies(query) {
      const { policies, next } = await json<PolicyList>(admin.call('GET', `/api/policies${query}`));
      return { names: policies.map(({ name }) => name), next };
    },
  };
  beforeAll(async () => {
    for (const at of [1, 2, 3, 4, 5]) {
      await admin.call('POST', '/api/users', { email: `listed${at}@example.com`, name: 'Ähnlich', role: 'reviewer' });
      await admin.call('POST', '/api/groups', { name: `listed-${at}` });
      await admin.call('POST', '/api/keys', { server: `listed-${at}` });
      await publish(two.nodes[0], `policy: listed-${at}\nmatch: { server: listed-${at} }\ndeny: { reason: No. }`);
    }
  });

  test.each(Object.keys(lists))('%s: the pages hold everything once, in the order of the whole', async (name) => {
    const read = lists[name] as (query: string) => Promise<Page>;
    const whole = await read('');
    expect(whole.next).toBeNull();
    const paged: string[] = [];
    let cursor: string | null = '';
    do {
      const page: Page = await read(`?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.names.length).toBeLessThanOrEqual(2);
      paged.push(...page.names);
      cursor = page.next;
    } while (cursor !== null);
    expect(paged).toEqual(whole.names);
    expect(paged.length).toBeGreaterThanOrEqual(5);
  });

  test.each(Object.keys(lists))('%s: the server searches', async (name) => {
    const read = lists[name] as (query: string) => Promise<Page>;
    expect((await read('?q=LISTED')).names).toHaveLength(5);
    expect((await read('?q=listed&limit=3')).next).not.toBeNull();
    expect(await read('?q=nothing+like+it')).toEqual({ names: [], next: null });
  });

  test('people are found by address and by name, in any case', async () => {
    expect((await users(admin, '?q=ÄHNLICH')).users).toHaveLength(5);
    expect((await users(admin, '?q=Listed3%40')).users).toMatchObject([{ email: 'listed3@example.com' }]);
  });

  test.each(['users', 'groups', 'servers', 'keys', 'policies'])(
    '%s: refuses what is no cursor or limit',
    async (name) => {
      for (const query of ['cursor=', 'cursor=%21%21', 'limit=0', 'limit=5001', 'page=2'])
        expect([query, (await admin.call('GET', `/api/${name}?${query}`)).status]).toEqual([query, 400]);
    },
  );
});
