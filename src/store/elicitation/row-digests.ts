import { rowDigest, type RowDigests } from '../../audit/evidence.ts';
import type { StoredState } from '../../machine/stored-state.ts';
import type { ElicitationRow, NewBreakGlass, NewRemark, NewVote, ReplacedQuestion } from './row.ts';

type DigestedElicitation = Omit<ElicitationRow, 'serverName' | 'owner' | 'dataKey' | 'state'>;

/**
 * The digest of a stored request, whose state is as it is stored. It does not cover the owner and the data key, which are sealed for their place and
 * sealed again when secrets change, nor the time of the next check, which decides nothing.
 */
export const elicitationDigest = (row: DigestedElicitation, state: StoredState): string =>
  rowDigest('elicitation', [
    row.id,
    row.toolCallId,
    row.step,
    row.serverId,
    row.tool,
    row.audience,
    row.mode,
    row.risk,
    row.status,
    row.cause,
    row.caller,
    row.revision,
    row.version,
    state,
    row.openedAt,
    row.deadlineAt,
    row.closedAt,
    row.requestHash,
    row.sessionHash,
    row.requesterHash,
    row.readers,
    row.equalHash,
    row.wish,
    row.digest,
    row.policy,
    row.payload,
    row.answer,
    row.explanation,
    // Absent, so that requests from before keep their digests.
    ...(row.traceparent === null ? [] : [row.traceparent]),
  ]);

/** What the log says about a vote: the row under its id. */
export const voteDigest = (elicitation: string, at: number, vote: NewVote): RowDigests => ({
  [vote.id]: rowDigest('vote', [
    vote.id,
    elicitation,
    vote.userId,
    vote.forId,
    vote.revision,
    vote.stage,
    vote.action,
    vote.digest,
    vote.comment,
    at,
    // Absent, so that votes from before keep their digests.
    ...(vote.signature === null ? [] : [vote.signature]),
  ]),
});

export const remarkDigest = (elicitation: string, at: number, remark: NewRemark): RowDigests => ({
  [remark.id]: rowDigest('remark', [
    remark.id,
    elicitation,
    remark.kind,
    remark.userId,
    remark.replyTo,
    remark.body,
    at,
  ]),
});

/** A replaced question has no id of its own. */
export const revisionDigest = (elicitation: string, at: number, replaced: ReplacedQuestion): RowDigests => ({
  [`${elicitation}#${replaced.revision}`]: rowDigest('revision', [
    elicitation,
    replaced.revision,
    replaced.digest,
    replaced.policy,
    replaced.payload,
    replaced.userId,
    at,
  ]),
});

interface Review {
  reviewerId: string;
  at: number;
  finding: Uint8Array;
}

export const breakGlassDigest = (
  elicitation: string,
  at: number,
  { userId, reason, reviewDueAt }: NewBreakGlass,
  review: Review | null,
): RowDigests => ({
  [`${elicitation}#break-glass`]: rowDigest('break_glass', [
    elicitation,
    userId,
    reason,
    at,
    reviewDueAt,
    review?.reviewerId,
    review?.at,
    review?.finding,
  ]),
});

export const lookBackDigest = (elicitation: string, at: number, review: Review | null): RowDigests => ({
  [`${elicitation}#look-back`]: rowDigest('look_back', [
    elicitation,
    at,
    review?.reviewerId,
    review?.at,
    review?.finding,
  ]),
});

interface Look {
  elicitationId: string;
  userId: string;
  reason: Uint8Array;
  at: number;
}

/** One reading has no id of its own. */
export const lookDigest = ({ elicitationId, userId, reason, at }: Look): RowDigests => ({
  [`${elicitationId}#look-${userId}-${at}`]: rowDigest('look', [elicitationId, userId, reason, at]),
});
