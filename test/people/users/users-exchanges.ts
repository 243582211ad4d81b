import type { CreatedKey } from '#access/keys/contract/key';
import type { AddedUser } from '#people/users/contract';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { mailedLink, secretIn } from '../../support/nodes/mailed-link.ts';
import type { TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

/** One successful exchange for each route about people, by its id. */
export function usersExchanges(server: () => TestServer, admin: () => Browser) {
  let groups = 0;
  let users = 0;
  const newGroup = () => admin().call('POST', '/api/groups', { name: `Group ${(groups += 1)}` });
  const onGroup = async (method: string, part: string, body?: unknown) => {
    const { id } = await json<{ id: string }>(newGroup());
    return admin().call(method, `/api/groups/${id}${part}`, body);
  };
  const view = { name: 'Large payments', filters: { view: 'all', tool: 'transfer_funds' } };
  const onView = async (method: string, body?: unknown) => {
    const { id } = await json<{ id: string }>(admin().call('POST', '/api/views', view));
    return admin().call(method, `/api/views/${id}`, body);
  };
  const delegate = (toId: string) => {
    const endsAt = Date.now() + 60_000;
    return admin().call('POST', '/api/delegations', { toId, endsAt, policies: ['built-in'], note: 'away' });
  };
  const someone = async () => (await openBrowser(server())).user;
  const addUser = () => {
    const body = { email: `new${(users += 1)}@example.com`, name: 'New', role: 'approver' };
    return admin().call('POST', '/api/users', body);
  };
  return {
    addUser,
    mailPasswordLink: async () => {
      const { user } = await openBrowser(server());
      return admin().call('POST', `/api/users/${user.id}/password-link`);
    },
    setPassword: async () => {
      const { user } = await json<AddedUser>(addUser());
      const link = secretIn(await mailedLink(server(), user.id));
      const body = { link, password: 'correct horse battery' };
      return admin().call('POST', '/api/password', body);
    },
    listUsers: () => admin().call('GET', '/api/users'),
    changeUser: async () => {
      const { user } = await openBrowser(server());
      return admin().call('PATCH', `/api/users/${user.id}`, {
        subjects: [user.id],
        managerId: (await someone()).id,
      });
    },
    listGroups: () => admin().call('GET', '/api/groups'),
    addGroup: newGroup,
    changeGroup: () => onGroup('PATCH', '', { description: 'They pay.' }),
    changeMembers: async () => onGroup('POST', '/members', { add: [(await someone()).id] }),
    deleteGroup: () => onGroup('DELETE', ''),
    listDelegations: () => admin().call('GET', '/api/delegations'),
    delegate: async () => delegate((await openBrowser(server())).user.id),
    revokeDelegation: async () => {
      const { id } = await json<{ id: string }>(delegate((await openBrowser(server())).user.id));
      return admin().call('POST', `/api/delegations/${id}/revoke`);
    },
    listViews: () => admin().call('GET', '/api/views'),
    saveView: () => admin().call('POST', '/api/views', view),
    changeView: async () => onView('PATCH', { isShared: true }),
    removeView: async () => onView('DELETE'),
    listKeys: () => admin().call('GET', '/api/keys'),
    createKey: () => admin().call('POST', '/api/keys', { server: 'made' }),
    revokeKey: async () => {
      const { kid } = await json<CreatedKey>(admin().call('POST', '/api/keys', { server: 'ended' }));
      return admin().call('POST', `/api/keys/${kid}/revoke`);
    },
    rotateKey: async () => {
      const { kid } = await json<CreatedKey>(admin().call('POST', '/api/keys', { server: 'followed' }));
      return admin().call('POST', `/api/keys/${kid}/rotate`, {});
    },
    listServers: () => admin().call('GET', '/api/servers'),
    listTools: async () => {
      const [first] = (await server().engine.directory.read()).servers;
      return admin().call('GET', `/api/servers/${first?.id}/tools`);
    },
    changeServer: async () => {
      const [first] = (await server().engine.directory.read()).servers;
      return admin().call('PATCH', `/api/servers/${first?.id}`, { ownerId: (await someone()).id });
    },
  };
}
