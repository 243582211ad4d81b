import { canonicalText } from '#platform/model/hashed-text';
import type { VoteAction } from '../../../asking/contract/elicitation.ts';
import type { Assertion } from '#access/passkeys/contract/types';

/** What a device signs when its person votes. */
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

/** What is kept with a signed vote: enough, with the entries of the log, for anyone to check it. */
export interface DeviceSignature {
  nonce: string;
  assertion: Assertion;
}
