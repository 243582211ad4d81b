import type { CreatedKey } from '../../../src/contract/people/key.ts';
import type { AddedPerson } from '../../../src/contract/people/people.ts';
import { openBrowser, type Browser } from '../../support/console.ts';
import type { TestServer } from '../../support/server.ts';

/** One successful exchange for each route about people, by its id. */
export function peopleExchanges(server: () => TestServer, admin: () => Browser) {
  let teams = 0;
  let persons = 0;
  const newTeam = () => admin().call('POST', '/api/teams', { name: `Team ${(teams += 1)}` });
  const onTeam = async (method: string, part: string, body?: unknown) => {
    const { id } = (await (await newTeam()).json()) as { id: string };
    return admin().call(method, `/api/teams/${id}${part}`, body);
  };
  const delegate = (toId: string) => {
    const endsAt = Date.now() + 60_000;
    return admin().call('POST', '/api/delegations', { toId, endsAt, policies: ['built-in'], note: 'away' });
  };
  const someone = async () => (await openBrowser(server())).person;
  const addPerson = () => {
    const body = { email: `new${(persons += 1)}@example.com`, name: 'New', role: 'approver' };
    return admin().call('POST', '/api/people', body);
  };
  return {
    addPerson,
    makePasswordLink: async () => {
      const { person } = await openBrowser(server());
      return admin().call('POST', `/api/people/${person.id}/password-link`);
    },
    setPassword: async () => {
      const { link } = (await (await addPerson()).json()) as AddedPerson;
      const body = { link: new URL(link.address).hash.replace('#link=', ''), password: 'correct horse battery' };
      return admin().call('POST', '/api/password', body);
    },
    listPeople: () => admin().call('GET', '/api/people'),
    changePerson: async () => {
      const { person } = await openBrowser(server());
      return admin().call('PATCH', `/api/people/${person.id}`, {
        subjects: [person.id],
        managerId: (await someone()).id,
      });
    },
    listTeams: () => admin().call('GET', '/api/teams'),
    addTeam: newTeam,
    changeTeam: () => onTeam('PATCH', '', { description: 'They pay.' }),
    changeMembers: async () => onTeam('POST', '/members', { add: [(await someone()).id] }),
    deleteTeam: () => onTeam('DELETE', ''),
    listDelegations: () => admin().call('GET', '/api/delegations'),
    delegate: async () => delegate((await openBrowser(server())).person.id),
    revokeDelegation: async () => {
      const { id } = (await (await delegate((await openBrowser(server())).person.id)).json()) as { id: string };
      return admin().call('POST', `/api/delegations/${id}/revoke`);
    },
    listKeys: () => admin().call('GET', '/api/keys'),
    createKey: () => admin().call('POST', '/api/keys', { server: 'made' }),
    revokeKey: async () => {
      const { kid } = (await (await admin().call('POST', '/api/keys', { server: 'ended' })).json()) as CreatedKey;
      return admin().call('POST', `/api/keys/${kid}/revoke`);
    },
    listServers: () => admin().call('GET', '/api/servers'),
    changeServer: async () => {
      const [first] = (await server().engine.directory.read()).servers;
      return admin().call('PATCH', `/api/servers/${first?.id}`, { ownerId: (await someone()).id });
    },
  };
}
