import { randomBytes } from 'node:crypto';
import { createClient, type AssentryClient } from '../src/sdk/client/client.ts';
import { addGroup, changeMembers } from '#people/groups/verbs';
import type { User } from '#people/directory/contract/user';
import type { RunningServer } from '../src/server/server.ts';

export type PersonName = 'ada' | 'grace' | 'alan' | 'kay' | 'edsger' | 'radia' | 'barbara';
export type ServerName = 'billing' | 'infrastructure' | 'customers';

/** The people of the demo, and the MCP servers that ask them. */
export interface DemoHouse {
  people: Record<PersonName, User>;
  servers: Record<ServerName, AssentryClient>;
}

const people = {
  ada: { name: 'Ada Lovelace', role: 'admin' },
  grace: { name: 'Grace Hopper', role: 'reviewer' },
  alan: { name: 'Alan Turing', role: 'admin' },
  kay: { name: 'Katherine Johnson', role: 'approver' },
  edsger: { name: 'Edsger Dijkstra', role: 'approver' },
  radia: { name: 'Radia Perlman', role: 'approver' },
  barbara: { name: 'Barbara Liskov', role: 'approver' },
} as const;

export const groups = {
  finance: ['kay', 'barbara', 'ada'],
  operations: ['edsger', 'radia', 'alan'],
} as const satisfies Record<string, PersonName[]>;

const policies = [
  `policy: payments
description: Money leaves only with finance, and above 5,000 with two of them.
match: { server: billing, tool: pay_invoice }
when: request.args.amount < 5000
require:
  stages: [{ name: Finance, approvers: { group: finance } }]
  deadline: 8h
  pace: { approvals: 20, hasty: 5, within: 10m }`,
  `policy: large-payments
match: { server: billing, tool: pay_invoice }
when: request.args.amount >= 5000
require:
  risk: high
  stages: [{ name: Finance, approve: 2, approvers: { group: finance } }]
  deadline: 1d
  reminders: [2h]`,
  `policy: deployments
match: { server: infrastructure, tool: deploy }
require:
  stages: [{ name: Operations, approvers: { group: operations } }]
  deadline: 2h
  notify: { urgent: true }`,
  `policy: deletion
match: { tool: 'delete_*' }
require:
  risk: high
  stages: [{ name: Operations, approvers: { group: operations } }]
  deadline: 4h
  justification: { approver: { minLength: 5 } }`,
  `policy: reading
match: { annotations: { readOnlyHint: true } }
allow: { ceiling: low, sample: 20% }`,
  `policy: no-exports
match: { server: customers, tool: export_customers }
deny: { reason: Customer data is not exported by agents. Ask the data protection officer. }`,
];

/** Adds people, groups, servers and policies by the verbs that administrators and the operator have. */
export async function furnish(server: RunningServer): Promise<DemoHouse> {
  const added = {} as Record<PersonName, User>;
  for (const [id, { name, role }] of Object.entries(people))
    added[id as PersonName] = await server.addUser({
      email: `${id}@example.com`,
      name,
      role,
      password: randomBytes(24).toString('base64url'),
    });
  for (const [name, members] of Object.entries(groups)) {
    const group = await addGroup(server.engine, 'operator', { name });
    await changeMembers(server.engine, 'operator', group, { add: members.map((id) => added[id].id) });
  }
  await server.applyPolicies(policies);
  const clientOf = async (name: ServerName) =>
    createClient({ url: server.url, apiKey: await server.createServerKey(name) });
  const servers = {
    billing: await clientOf('billing'),
    infrastructure: await clientOf('infrastructure'),
    customers: await clientOf('customers'),
  };
  return { people: added, servers };
}
