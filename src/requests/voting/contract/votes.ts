import { z } from 'zod';
import { statuses, voteActions, type VoteAction } from '../../asking/contract/elicitation.ts';
import { Refusal, digest } from '#platform/http/contract/problem';
import { ElicitationId, storable } from '../../asking/contract/open.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { canonicalText } from '#platform/model/hashed-text';
import { PasskeyAssertion } from '#access/passkeys/contract/passkeys';

export const comment = z.string().trim().max(4000);
const needed = 'Needed to decline: it tells the requester what to change.';
export const voteComment = comment.optional().meta({ description: needed });

/** In the words of JSON Schema, for readers of the OpenAPI document; the verb holds it. */
export const declineNeedsComment = {
  if: { properties: { action: { const: 'decline' } } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { comment: { minLength: 1 } }, required: ['comment'] },
};

/** The API for voting on several requests together. */
const BulkVote = z
  .strictObject({
    items: z
      .array(z.strictObject({ id: ElicitationId, digest }))
      .min(1)
      .max(50)
      .meta({
        description: 'Each with the digest of what the person saw; to approve, requests of one tool under one policy.',
      }),
    action: z.enum(voteActions),
    comment: storable(4000).trim().optional().meta({ description: needed }),
  })
  .meta({ id: 'BulkVote', ...declineNeedsComment });
export type BulkVote = z.infer<typeof BulkVote>;

export const BulkVoteResult = z
  .object({
    results: z.array(
      z.object({
        id: ElicitationId,
        status: z.enum(statuses).nullable(),
        /** Why this request got no vote; null if it did. */
        problem: z.object({ code: z.string(), detail: z.string(), refusal: Refusal.optional() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'BulkVoteResult' });
export type BulkVoteResult = z.infer<typeof BulkVoteResult>;

export const bulkRoutes = {
  castVotes: {
    method: 'post',
    path: '/api/elicitations/votes',
    auth: 'session',
    permission: 'decide',
    proof: 'with-act',
    summary: 'Decline several requests together, or approve similar ones, never of high risk. Each has its own result.',
    body: BulkVote,
    success: { 200: BulkVoteResult },
  },
} as const satisfies Record<string, RouteContract>;

/** The text that a device signs when its person votes. */
export interface SignedVote {
  /** The action digest of the request: its id, its question and its arguments follow from it. */
  digest: string;
  revision: number;
  /** Counted from 0. */
  stage: number;
  action: VoteAction;
  voter: string;
  /** The person they vote for. */
  for?: string | undefined;
  /** Milliseconds of the standing approval that they would give. */
  allowFor?: number | undefined;
  /** Given out for this vote, in base64url. */
  nonce: string;
}

/**
 * The text whose SHA-256 is the challenge that a passkey signs: the same for equal votes, different for different ones.
 * docs/passkeys.md has it for other programs.
 */
export function signedVoteText({ for: absent, allowFor, ...vote }: SignedVote): string {
  const { digest, revision, stage, action, voter, nonce } = vote;
  const text = { digest, revision, stage, action, voter, for: absent ?? null, allowFor: allowFor ?? null, nonce };
  return `assentry/vote/v1\n${canonicalText(text)}`;
}

/** Kept with a signed vote: enough, with the entries of the log, for anyone to check it. */
export const DeviceSignature = z
  .strictObject({ nonce: z.string().min(1).max(256), assertion: PasskeyAssertion })
  .meta({ id: 'DeviceSignature' });
export type DeviceSignature = z.infer<typeof DeviceSignature>;

/** The request after the vote. The rest of its page is a read of its own, for anyone who looks. */
export const VoteResult = z
  .object({ id: ElicitationId, status: z.enum(statuses), revision: z.int().min(1), digest })
  .meta({ id: 'VoteResult' });
