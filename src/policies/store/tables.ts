import { defineTable, integer, later, text, time } from '#platform/database/sql';

export const policyTable = defineTable('policy', {
  id: text(),
  name: text(),
  publishedVersion: integer<number | null>(),
  shadowVersion: integer<number | null>(),
  createdAt: time(),
  spaceId: later(text<string | null>()),
});

export const policyVersionTable = defineTable('policy_version', {
  policyId: text(),
  version: integer(),
  state: text(),
  document: text(),
  digest: text(),
  note: text(),
  authorId: text<string | null>(),
  createdAt: time(),
  reviewerId: text<string | null>(),
  reviewedAt: time<number | null>(),
  publishedAt: time<number | null>(),
});
