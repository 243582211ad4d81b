import { createEvidence } from '#audit/entries/rules/evidence';
import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { newApiKey } from '#access/tokens/rules';
import { createKeyRing } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { openDatabase } from '#platform/database/database';
import { directoryDigests, type DirectoryRows } from '#people/directory/store/tables';
import { insertSealed } from '../../support/nodes/log.ts';
import { nodeOptions } from '../prepared.ts';

/** How many of each an installation has. */
export interface Installation {
  people: number;
  groups: number;
  servers: number;
  policies: number;
  open: number;
  closed: number;
}

export const personAt = (at: number) => ({ email: `person${at}@example.com`, name: `Person ${at}` });
export const groupAt = (at: number): string => `team-${at}`;
export const serverAt = (at: number): string => `server-${at}`;

/** People in each group. */
const members = 15;

/** People, groups, servers and keys in one statement for each table, with the entries that verbs would write. */
export async function fillDirectory(url: string, { people, groups, servers }: Installation): Promise<void> {
  const database = openDatabase(url, { statementTimeout: 600_000 });
  const ring = createKeyRing(nodeOptions.secrets ?? []);
  const evidence = createEvidence(ring, () => {});
  const users = placesUpTo(people).map((at) => ({ id: newId('user'), ...personAt(at) }));
  const teams = placesUpTo(groups).map((at) => ({ id: newId('group'), name: groupAt(at) }));
  const hosts = placesUpTo(servers).map((at) => ({ id: newId('server'), name: serverAt(at), ...newApiKey() }));
  const { prisma, pool } = database;
  const write = async (rows: DirectoryRows, events: [row: string, event: AuditEvent][]): Promise<void> => {
    const digests = await directoryDigests(prisma, rows);
    const of = (row: string) => ({ [row]: digests[row] ?? '' });
    const entries = events.map(([row, event]) =>
      evidence.seal(auditEntry(newId('entry'), Date.now(), { kind: 'operator' }, event), of(row)),
    );
    await insertSealed(pool, entries);
  };
  try {
    await prisma.user.createMany({ data: users.map((user) => ({ ...user, role: 'approver' })) });
    await write(
      { users: 'all' },
      users.map(({ id }) => [id, { type: 'user.added', user: id, role: 'approver' }]),
    );
    await prisma.group.createMany({ data: teams });
    await prisma.groupMember.createMany({
      data: teams.flatMap(({ id: groupId }, team) =>
        placesUpTo(members).map((at) => ({ groupId, userId: users[(team * members + at) % people]?.id ?? '' })),
      ),
    });
    await write(
      { groups: 'all' },
      teams.map(({ id }) => [id, { type: 'group.added', group: id }]),
    );
    await prisma.server.createMany({
      data: hosts.map(({ id, name }, at) => ({ id, name, ownerId: users[at % people]?.id ?? '' })),
    });
    await prisma.apiKey.createMany({
      data: hosts.map(({ id, kid, hash }) => ({ kid, serverId: id, hash: new Uint8Array(hash) })),
    });
    await write(
      { servers: 'all' },
      hosts.map(({ id, name, kid }) => [id, { type: 'key.created', server: name, kid, expiresAt: null, tools: ['*'] }]),
    );
    await write(
      { keys: 'all' },
      hosts.map(({ name, kid }) => [
        `key_${kid}`,
        { type: 'key.created', server: name, kid, expiresAt: null, tools: ['*'] },
      ]),
    );
    await pool.query('VACUUM ANALYZE app_user, app_group, group_member, server, api_key, audit_entry');
  } finally {
    await database.close();
  }
}

/** What two of these policies are about; all others are about something else. */
export const matched = { server: 'payments', tool: 'transfer_funds' };

/** As teams write them: some name a server and a tool, some use patterns, some name what they are about in a condition. */
export function policyDocuments(count: number): string[] {
  const decides = (name: string, about: string, group: string) =>
    `policy: ${name}\n${about}\nrequire: { stages: [{ name: Team, approvers: { group: ${group} } }] }\n`;
  const matching = [
    decides('by-name', `match: { server: ${matched.server}, tool: ${matched.tool} }`, groupAt(1)),
    decides('by-pattern', `match: { server: pay*, tool: "*_funds" }\npriority: 1`, groupAt(2)),
  ];
  const kinds = [
    (at: number) => `match: { server: ${serverAt(at)}, tool: [deploy, restart] }`,
    (at: number) => `match: { server: "server-${at}*", tool: "delete_*" }`,
    (at: number) => `when: request.server == "${serverAt(at)}" && request.risk == "high"`,
  ];
  const others = placesUpTo(count - matching.length).map((at) =>
    decides(`team-policy-${at}`, kinds[at % kinds.length]?.(at) ?? '', groupAt(at % 200)),
  );
  return [...matching, ...others];
}

const placesUpTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
