import { fromBase64 } from '../../tree/rules/notes/base64.ts';
import type { Checkpoint } from '../../tree/rules/checkpoint/checkpoint.ts';
import { signatureFault, type VoteEvent } from '../../tree/rules/notes/device-signature.ts';
import { entryIn, type StoredEvent } from '../../entries/rules/entry/entry.ts';
import { leafHash } from '../../entries/rules/entry/leaf.ts';
import { isIncluded } from '../../tree/rules/merkle/merkle-proof.ts';
import { signedEntriesIn, type EntryProof, type SignedEntry } from './receipt.ts';

/** One vote that its voter's device signed, and what is wrong with that; null if nothing is. */
interface CheckedSignature {
  vote: VoteEvent | null;
  fault: string | null;
}

/**
 * Checks every device signature in a receipt whose own entry and checkpoint were found to be genuine, against the same
 * checkpoint. Nothing but the receipt is needed: the keys are in the entries that added the passkeys.
 */
export async function checkSignatures(
  text: string,
  decided: StoredEvent,
  checkpoint: Checkpoint,
): Promise<CheckedSignature[]> {
  const decisive = decided.type === 'elicitation.voted' ? decided : null;
  const opposite = decisive && outcomeFault(decisive);
  if (opposite) return [{ vote: decisive, fault: opposite }];
  const signed = signedEntriesIn(text);
  if (!signed) return [{ vote: null, fault: 'The device signatures in it cannot be read.' }];
  const checked = await Promise.all(signed.map((each) => checkOne(each, decided, checkpoint)));
  // Readers count these votes, and a person has one in each stage: another one was withdrawn, or is the same again.
  const seats = checked.map(({ vote }) => vote && `${userOf(vote)} ${vote.stage}`);
  const again = checked.find((_, at) => seats.indexOf(seats[at] ?? null) < at)?.vote;
  if (again) return [...checked, { vote: again, fault: `The person ${userOf(again)} stands twice in it.` }];
  const isMissing =
    decided.type === 'elicitation.voted' && decided.device && !checked.some(({ vote }) => vote?.vote === decided.vote);
  const missing = { vote: decided as VoteEvent, fault: 'What the device of the deciding vote signed is missing.' };
  return isMissing ? [...checked, missing] : checked;
}

async function checkOne(
  { vote: voteProof, passkey, signature }: SignedEntry,
  decided: StoredEvent,
  checkpoint: Checkpoint,
): Promise<CheckedSignature> {
  const vote = provenEntry(voteProof, checkpoint);
  const added = provenEntry(passkey, checkpoint);
  if (vote?.type !== 'elicitation.voted') return { vote: null, fault: 'A vote in it is not in the log.' };
  const isOfRequest = 'revision' in decided && decided.elicitation === vote.elicitation && decided.digest === vote.seen;
  if (!isOfRequest) return { vote, fault: `The vote ${vote.vote} in it is about another request.` };
  if (added?.type !== 'user.passkey-added' || passkey.index >= voteProof.index)
    return { vote, fault: `The passkey of the vote ${vote.vote} was not in the log before it.` };
  return { vote, fault: formatFault(vote, await signatureFault(vote, signature, added)) };
}

/** A sentence about a vote whose entry says that it decided the opposite; null if it decided what it was for, or nothing. */
export const outcomeFault = ({ vote, action, to }: VoteEvent): string | null =>
  (actionFor[to] ?? action) === action
    ? null
    : `The vote ${vote} cannot have ended the request as ${to}: it says the opposite.`;

const actionFor: Partial<Record<string, VoteEvent['action']>> = { accepted: 'accept', declined: 'decline' };

/** A sentence about a signature that does not hold. */
export const formatFault = ({ vote, actor }: VoteEvent, fault: string | null): string | null =>
  fault && `The device of the person ${userOf({ actor })} did not sign the vote ${vote} (${fault}).`;

const userOf = ({ actor }: Pick<VoteEvent, 'actor'>): string => (actor.kind === 'user' ? actor.id : '');

function provenEntry({ entry, index, proof }: EntryProof, checkpoint: Checkpoint): StoredEvent | null {
  const body = fromBase64(entry);
  const hashes = proof.map((text) => fromBase64(text) ?? Buffer.of());
  return body && isIncluded(leafHash(body), index, hashes, checkpoint) ? entryIn(body) : null;
}
