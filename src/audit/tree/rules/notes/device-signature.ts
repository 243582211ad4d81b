import { sha256 } from '#platform/crypto/digest/digest';
import { checkAssertion } from '#access/passkeys/rules';
import type { PasskeyFault } from '#access/passkeys/contract/types';
import { signedVoteText, type DeviceSignature, type SignedVote } from '#requests/voting/contract/bulk-vote/signed-vote';
import type { StoredEvent } from '../../../entries/rules/entry/entry.ts';

export type VoteEvent = Extract<StoredEvent, { type: 'elicitation.voted' }>;
export type PasskeyEvent = Extract<StoredEvent, { type: 'user.passkey-added' }>;

/** The challenge that a device signs for this vote, in base64url. */
export const voteChallenge = (vote: SignedVote): string => sha256(signedVoteText(vote)).toString('base64url');

/** What is kept with a vote; null if it is not what a device signature is kept as. */
export function readSignature(text: string): DeviceSignature | null {
  try {
    const { nonce, assertion } = JSON.parse(text) as Partial<DeviceSignature>;
    const parts = [nonce, assertion?.credentialId, assertion?.authenticatorData, assertion?.clientDataJSON];
    const isWhole = [...parts, assertion?.signature].every((part) => typeof part === 'string');
    return isWhole ? (JSON.parse(text) as DeviceSignature) : null;
  } catch {
    return null;
  }
}

/**
 * What is wrong with the signature of a vote, by the entry of the vote, what is kept with it, and the entry that added
 * the passkey; null if this person's device signed exactly this vote.
 */
export async function signatureFault(vote: VoteEvent, text: string, added: PasskeyEvent): Promise<PasskeyFault | null> {
  const kept = readSignature(text);
  if (!kept || sha256(text).toString('hex') !== vote.device?.signature) return 'passkey-malformed';
  const voter = vote.actor.kind === 'user' ? vote.actor.id : '';
  const isTheirs = added.user === voter && added.passkey === vote.device.passkey;
  if (!isTheirs || added.credential !== kept.assertion.credentialId) return 'passkey-unknown';
  const { seen: digest, revision, stage, action, for: absent, allowFor } = vote;
  const challenge = voteChallenge({ digest, revision, stage, action, voter, for: absent, allowFor, nonce: kept.nonce });
  const party = { id: added.site, origin: added.origin };
  const publicKey = Buffer.from(added.publicKey, 'base64url');
  const checked = await checkAssertion(kept.assertion, { challenge, party, publicKey });
  return 'fault' in checked ? checked.fault : null;
}
