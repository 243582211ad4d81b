import { Prisma } from '#platform/database/generated/prisma/client';
import { holderOf, isBuiltInRole } from '../../contract/permission.ts';
import { batch } from '#platform/database/database/batch';
import type { Query } from '#platform/database/connection/query';
import type {
  DirectoryRecord,
  GroupRecord,
  RoleRecord,
  ServerRecord,
  SpaceRecord,
  UserRecord,
} from '../directory-record/directory-record.ts';

interface Snapshot {
  epoch: bigint;
  record: DirectoryRecord;
}

const nothing: Snapshot = { epoch: -1n, record: { users: [], groups: [], servers: [], spaces: [], roles: [] } };

/** The directory in memory, as of an epoch of people; with each read, what has changed since is read again. */
export function createDirectoryReader(query: Query) {
  let latest = nothing;
  const read = batch(async (askers: null[]) => {
    latest = await readSince(query, latest);
    return askers.map(() => latest.record);
  }, oneAtATime);
  return {
    /** As of the last commit before the call. Callers that ask together share a statement. */
    read: (): Promise<DirectoryRecord> => read(null),
    /** As the transaction sees it. Nothing of it is kept: it may be rolled back. */
    readIn: async (tx: Query): Promise<DirectoryRecord> => (await readSince(tx, latest)).record,
  };
}

/** One statement at a time answers all who wait. */
const oneAtATime = { most: Number.MAX_SAFE_INTEGER, concurrency: 1 };

async function readSince(query: Query, base: Snapshot): Promise<Snapshot> {
  const [now] = await query<Changed>(changedSince(base.epoch));
  const epoch = now?.epoch ?? 0n;
  if (epoch === base.epoch) return base;
  if (epoch < base.epoch) return readSince(query, nothing); // an older backup was restored
  const { users, groups, servers, spaces, roles } = now ?? {};
  return {
    epoch,
    record: {
      users: withPermissions(withChanged(base.record.users, users ?? []), roles ?? [], base.record.roles),
      groups: groups ?? [],
      servers: servers ?? [],
      spaces: spaces ?? [],
      roles: roles ?? [],
    },
  };
}

interface Changed {
  epoch: bigint;
  /** Those who have changed; null for none. */
  users: UserRecord[] | null;
  groups: GroupRecord[] | null;
  servers: ServerRecord[] | null;
  spaces: SpaceRecord[] | null;
  roles: RoleRecord[] | null;
}

/** All groups, servers, spaces and roles, which are few; of people, those who have changed since. Nothing if the epoch is the same. */
const changedSince = (epoch: bigint): Prisma.Sql => Prisma.sql`
  SELECT value AS epoch,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'email', email, 'name', name,
          'role', role, 'managerId', manager_id, 'subjects', subjects, 'mayBreakGlass', may_break_glass,
          'chatMember', slack_id, 'hasPassword', password_hash IS NOT NULL, 'hasProvider',
          EXISTS (SELECT FROM federated_identity WHERE user_id = app_user.id), 'identities', coalesce((SELECT
            json_agg(json_build_object('issuer', issuer, 'subject', subject, 'scimClaim', scim_claim)) FROM federated_identity
            WHERE user_id = app_user.id), '[]'), 'provisioned', (SELECT json_build_object('issuer', p.issuer,
            'userName', p.user_name, 'externalId', p.external_id, 'givenName', p.given_name, 'familyName', p.family_name,
            'disabledAt', ${milliseconds('p.disabled_at')}, 'deletedAt', ${milliseconds('p.deleted_at')})
            FROM provisioned_user p WHERE p.user_id = app_user.id), 'sharesPower', shares_power,
          'disabledAt', ${milliseconds('disabled_at')}, 'decidedPairs', decided_pairs,
          'verifiedAddresses', verified_addresses, 'vouchedAddresses', vouched_addresses, 'createdAt', ${milliseconds('created_at')}))
        FROM app_user WHERE app_user.epoch > ${epoch}::bigint) END AS users,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'description', description, 'spaceId', space_id, 'owners', owner_ids, 'confirmation', CASE WHEN confirm_days IS NOT NULL THEN
            json_build_object('days', confirm_days, 'confirmedAt', ${milliseconds('confirmed_at')},
              'lapsesAt', ${milliseconds('lapses_at')}) END,
          'members', coalesce(members, '{}'), 'sources', coalesce(sources, '{}'),
          'provisioned', (SELECT json_build_object('issuer', p.issuer, 'externalId', p.external_id,
            'unadoptedSince', ${milliseconds('p.unadopted_since')})
            FROM provisioned_group p WHERE p.group_id = app_group.id)) ORDER BY name)
        FROM app_group LEFT JOIN (
          SELECT group_id, array_agg(user_id) AS members,
              json_object_agg(user_id, source) FILTER (WHERE source IS NOT NULL) AS sources
            FROM group_member WHERE group_id > '' GROUP BY group_id) m ON m.group_id = app_group.id
        WHERE id > '') END AS groups,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'ownerId', owner_id, 'spaceId', space_id) ORDER BY name) FROM server WHERE id > '') END AS servers,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'members', coalesce(members, '[]')) ORDER BY name)
        FROM space LEFT JOIN (
          SELECT space_id, json_agg(json_build_object('userId', user_id, 'role', role) ORDER BY user_id) AS members
            FROM space_member WHERE space_id > '' GROUP BY space_id) m ON m.space_id = space.id
        WHERE id > '') END AS spaces,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'permissions', permissions) ORDER BY name) FROM custom_role WHERE id > '') END AS roles
    FROM epoch WHERE name = 'users'`;

const milliseconds = (column: string): Prisma.Sql => Prisma.raw(`floor(extract(epoch FROM ${column}) * 1000)::bigint`);

function withChanged(users: DirectoryRecord['users'], changed: readonly UserRecord[]): DirectoryRecord['users'] {
  if (changed.length === 0) return users;
  const ids = new Set(changed.map(({ id }) => id));
  return [...users.filter(({ id }) => !ids.has(id)), ...changed].toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.id, b.id),
  );
}

/** A role may permit something else than when its people were read. */
function withPermissions(
  users: DirectoryRecord['users'],
  roles: readonly RoleRecord[],
  before: readonly RoleRecord[],
): DirectoryRecord['users'] {
  if (roles.length + before.length === 0) return users;
  return users.map((user) =>
    isBuiltInRole(user.role) ? user : { ...user, permissions: undefined, ...holderOf(user.role, roles) },
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
