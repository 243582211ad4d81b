import {
  bigint,
  boolean,
  bytes,
  defineTable,
  json,
  later,
  named,
  text,
  texts,
  time,
  uncovered,
} from '#platform/database/sql/columns';

// Prisma reads and writes these rows whole; the digests follow from here.

/** When a credential was last used, which decides nothing. */
const lastUsedAt = uncovered('no entry records each use', time<number | null>());

export const userTable = defineTable('app_user', {
  id: text(),
  email: text(),
  name: text(),
  role: text(),
  passwordHash: text<string | null>(),
  createdAt: time(),
  disabledAt: time<number | null>(),
  managerId: text<string | null>(),
  subjects: texts(),
  mayBreakGlass: boolean(),
  chatMember: named('slack_id', text<string | null>()),
  passwordIssuerId: text<string | null>(),
  chatIssuerId: named('slack_issuer_id', text<string | null>()),
  sharesPower: boolean(),
  epoch: uncovered('it only counts changes, for those who keep the row in memory', bigint()),
  decidedPairs: later(json<unknown>()),
  verifiedAddresses: later(json<unknown>()),
  vouchedAddresses: later(json<unknown>()),
});

export const serverTable = defineTable('server', {
  id: text(),
  name: text(),
  createdAt: time(),
  ownerId: text<string | null>(),
  spaceId: later(text<string | null>()),
});

export const customRoleTable = defineTable('custom_role', {
  id: text(),
  name: text(),
  permissions: texts(),
  createdAt: time(),
});

export const scimTokenTable = defineTable('scim_token', {
  kid: text(),
  provider: text(),
  issuer: text(),
  hash: bytes(),
  createdAt: time(),
  revokedAt: time<number | null>(),
  lastUsedAt,
});

export const adminTokenTable = defineTable('admin_token', {
  kid: text(),
  name: text(),
  hash: bytes(),
  permissions: texts(),
  networks: texts(),
  makerId: text(),
  issuerId: text<string | null>(),
  createdAt: time(),
  expiresAt: time(),
  revokedAt: time<number | null>(),
  lastUsedAt,
});

export const workloadTable = defineTable('workload', {
  kid: text(),
  serverId: text(),
  issuer: text(),
  audience: text(),
  subject: text(),
  claims: json<object>(),
  makerId: text<string | null>(),
  createdAt: time(),
  removedAt: time<number | null>(),
  lastUsedAt,
});

export const provisionedUserTable = defineTable('provisioned_user', {
  userId: text(),
  issuer: text(),
  userName: text(),
  externalId: text<string | null>(),
  givenName: text<string | null>(),
  familyName: text<string | null>(),
  disabledAt: time<number | null>(),
  deletedAt: time<number | null>(),
});

export const provisionedGroupTable = defineTable('provisioned_group', {
  groupId: text(),
  issuer: text(),
  externalId: text<string | null>(),
  unadoptedSince: later(time<number | null>()),
});

export const delegationTable = defineTable('delegation', {
  id: text(),
  fromId: text(),
  toId: text(),
  startsAt: time(),
  endsAt: time(),
  policies: texts(),
  note: text(),
  createdAt: time(),
  revokedAt: time<number | null>(),
  issuerId: later(text<string | null>()),
});
