import type { ElicitationId, RemarkId, UserId } from '#platform/model/id';
import { bytes, defineTable, integer, later, text, time } from '#platform/database/sql';

/** Tables of the parts of a request. The order of the columns is that of the digests. */
export const voteTable = defineTable('vote', {
  id: text(),
  elicitationId: text<ElicitationId>(),
  userId: text<UserId>(),
  /** The person they vote for. */
  forId: text<UserId | null>(),
  revision: integer(),
  stage: integer(),
  action: text(),
  /** The action digest that the voter saw. */
  digest: text(),
  comment: bytes<Uint8Array | null>(),
  at: time(),
  /** The signature of the voter's passkey, as canonical JSON; null for a vote that no device signed. */
  signature: later(text<string | null>()),
});

export type RemarkKind = 'comment' | 'question' | 'reply';

export const remarkTable = defineTable('remark', {
  id: text<RemarkId>(),
  elicitationId: text<ElicitationId>(),
  kind: text<RemarkKind>(),
  /** Null for the requester's reply. */
  userId: text<UserId | null>(),
  /** The question a reply answers. */
  replyTo: text<RemarkId | null>(),
  body: bytes(),
  at: time(),
});

/** A question that an edit replaced. */
export const revisionTable = defineTable('revision', {
  elicitationId: text<ElicitationId>(),
  revision: integer(),
  digest: text(),
  policy: text(),
  payload: bytes(),
  /** Who replaced it. */
  userId: text<UserId>(),
  at: time(),
});

export const breakGlassTable = defineTable('break_glass', {
  elicitationId: text<ElicitationId>(),
  userId: text<UserId>(),
  reason: bytes(),
  at: time(),
  reviewDueAt: time(),
  reviewerId: text<UserId | null>(),
  reviewedAt: time<number | null>(),
  finding: bytes<Uint8Array | null>(),
});

/** A request that a policy allowed and chose for a later look. */
export const lookBackTable = defineTable('look_back', {
  elicitationId: text<ElicitationId>(),
  at: time(),
  reviewerId: text<UserId | null>(),
  reviewedAt: time<number | null>(),
  finding: bytes<Uint8Array | null>(),
});

/** One reading of a request by an administrator or reviewer, with their sealed reason. */
export const lookTable = defineTable('look', {
  elicitationId: text<ElicitationId>(),
  userId: text<UserId>(),
  reason: bytes(),
  at: time(),
});
