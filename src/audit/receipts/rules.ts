import {
  fromBase64,
  signatureFault,
  type VoteEvent,
  toBase64,
  cosignaturesOn,
  type Cosignature,
  type NoteVerifier,
} from '../tree/rules/notes.ts';
import { type Checkpoint, openCheckpoint } from '../tree/rules/checkpoint.ts';
import { entryIn, type StoredEvent, leafHash } from '../entries/rules/entry.ts';
import { isIncluded } from '../tree/rules/merkle.ts';
import type { Status } from '#requests/asking/contract/elicitation';
import { parseStrictJson } from '#platform/crypto/strict-json';

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

/** A provider's confirmation of an earlier step of the call, to which the decision is bound. */
export type StepEvent = Extract<StoredEvent, { type: 'elicitation.answered' }>;

/**
 * The earlier steps of the call in a receipt whose own entry and checkpoint were found to be genuine; the fault if they are not
 * those that the request was opened with, each confirmed by its provider.
 */
export function checkSteps(
  text: string,
  decided: StoredEvent,
  checkpoint: Checkpoint,
): { steps: StepEvent[]; fault: string | null } {
  const kept = stepsIn(text);
  if (kept === null) return { steps: [], fault: 'The earlier steps in it cannot be read.' };
  if (kept === 'none') return { steps: [], fault: null };
  const opened = provenEntry(kept.opened, checkpoint);
  const ends = kept.steps.map((step) => provenEntry(step, checkpoint));
  const steps = ends.flatMap((event) => (event?.type === 'elicitation.answered' && event.provider ? [event] : []));
  const isOfRequest =
    opened?.type === 'elicitation.opened' && 'elicitation' in decided && opened.elicitation === decided.elicitation;
  if (!isOfRequest) return { steps: [], fault: 'The opening of the request in it is not in the log.' };
  const named = opened.after ?? [];
  const isWhole =
    kept.steps.every(({ index }) => index < kept.opened.index) &&
    steps.length === named.length &&
    steps.every(({ elicitation, to }, at) => elicitation === named[at] && to === 'accepted');
  if (!isWhole || ends.length !== steps.length)
    return { steps: [], fault: 'The earlier steps in it are not those that the request was opened with.' };
  return { steps, fault: null };
}

const userOf = ({ actor }: Pick<VoteEvent, 'actor'>): string => (actor.kind === 'user' ? actor.id : '');

function provenEntry({ entry, index, proof }: EntryProof, checkpoint: Checkpoint): StoredEvent | null {
  const body = fromBase64(entry);
  const hashes = proof.map((text) => fromBase64(text) ?? Buffer.of());
  return body && isIncluded(leafHash(body), index, hashes, checkpoint) ? entryIn(body) : null;
}

const header = 'c2sp.org/tlog-proof@v1';

/** The entry of a decision, or of an end without one. */
type EndEvent = Extract<StoredEvent, { revision: number }> & { to: Exclude<Status, 'open'> };

/** Can a receipt be of this entry? What is in the log and ends no request must not look like a decision. */
export const isEnd = (event: StoredEvent): event is EndEvent => 'revision' in event && event.to !== 'open';

interface Receipt {
  /** The disclosed entry: the bytes that the leaf hash covers. */
  entry: Uint8Array;
  index: number;
  proof: Uint8Array[];
  /** The signed note, verbatim. */
  checkpoint: string;
}

/** A proof that an entry is in the log, as a file (C2SP tlog-proof), with the entry as its extra data. */
export const writeReceipt = ({ entry, index, proof, checkpoint }: Receipt): string =>
  [header, `extra ${toBase64(entry)}`, `index ${index}`, ...proof.map(toBase64), '', checkpoint].join('\n');

/**
 * Adds the signatures of voters' devices to a receipt. They follow the proof after a blank line, in one line of base64:
 * programs that read C2SP tlog-proof leave them out.
 */
export const withSignatures = (receipt: string, signed: SignedEntry[]): string =>
  signed.length === 0 ? receipt : `${receipt}\n${signatures} ${toBase64(Buffer.from(JSON.stringify(signed)))}\n`;

const signatures = 'device-signatures@v1';

/** An entry of the log with its place, the bytes in base64. */
export interface EntryProof {
  entry: string;
  index: number;
  proof: string[];
}

/** A vote that a device signed: its entry, the entry that added the passkey, and what is kept of the signature. */
export interface SignedEntry {
  vote: EntryProof;
  passkey: EntryProof;
  signature: string;
}

/** Signatures of voters' devices in the receipt; null if they cannot be read. Verifies nothing. */
export function signedEntriesIn(text: string): SignedEntry[] | null {
  const [, line] = divided(text);
  if (line === null) return [];
  try {
    const signed = parseStrictJson(fromBase64(line)?.toString('utf8') ?? '') as SignedEntry[];
    const isWhole = signed.every(
      ({ vote, passkey, signature }) => isProof(vote) && isProof(passkey) && isText(signature),
    );
    return isWhole ? signed : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isProof = ({ entry, index, proof }: EntryProof): boolean =>
  isText(entry) && Number.isSafeInteger(index) && proof.every(isText);

/** The earlier steps of the call that a decision is bound to: the entry that opened the request, and their ends. */
export interface KeptSteps {
  opened: EntryProof;
  steps: EntryProof[];
}

/** Adds the earlier steps to a receipt, in a line of their own, before the signatures. */
export const withSteps = (receipt: string, kept: KeptSteps | null): string =>
  kept === null ? receipt : `${receipt}\n${earlierSteps} ${toBase64(Buffer.from(JSON.stringify(kept)))}\n`;

const earlierSteps = 'earlier-steps@v1';

/** Null if they cannot be read. Verifies nothing. */
function stepsIn(text: string): KeptSteps | 'none' | null {
  const [, line] = dividedAt(earlierSteps, dividedAt(signatures, text)[0]);
  if (line === null) return 'none';
  try {
    const kept = parseStrictJson(fromBase64(line)?.toString('utf8') ?? '') as KeptSteps;
    return [kept.opened, ...kept.steps].every(isProof) ? kept : null;
  } catch {
    return null;
  }
}

/** The proof, and the line of the signatures; null for none. */
function divided(text: string): [string, string | null] {
  const [rest, line] = dividedAt(signatures, text);
  return [dividedAt(earlierSteps, rest)[0], line];
}

function dividedAt(name: string, text: string): [string, string | null] {
  const at = text.lastIndexOf(`\n\n${name} `);
  return at < 0 ? [text, null] : [text.slice(0, at + 1), text.slice(at + name.length + 3).replace(/\n$/, '')];
}

/** The entry of a receipt that is valid under one of these keys, and the checkpoint that covers it; otherwise null. */
export function openReceipt(
  text: string,
  verifiers: NoteVerifier[],
  witnesses: NoteVerifier[] = [],
): OpenedReceipt | null {
  const receipt = readReceipt(text);
  const checkpoint = receipt && openCheckpoint(receipt.checkpoint, verifiers);
  if (!checkpoint || !isIncluded(leafHash(receipt.entry), receipt.index, receipt.proof, checkpoint)) return null;
  const cosignatures = cosignaturesOn(receipt.checkpoint, witnesses);
  return cosignatures && { entry: receipt.entry, index: receipt.index, checkpoint, cosignatures };
}

interface OpenedReceipt {
  entry: Buffer;
  index: number;
  checkpoint: Checkpoint;
  /** Cosignatures of the given witnesses on the checkpoint. */
  cosignatures: Cosignature[];
}

/** The checkpoint in a receipt, as a signed note, or null if this is not a receipt; verifies nothing. */
export const checkpointIn = (text: string): string | null => readReceipt(text)?.checkpoint ?? null;

function readReceipt(whole: string) {
  const [text] = divided(whole);
  const end = text.indexOf('\n\n');
  const [first, extra = '', index = '', ...lines] = text.slice(0, end).split('\n');
  const entry = extra.startsWith('extra ') ? fromBase64(extra.slice(6)) : null;
  const proof = lines.flatMap((line) => fromBase64(line) ?? []);
  const isWhole = proof.length === lines.length && proof.every(({ length }) => length === 32);
  if (end < 0 || first !== header || !entry || !/^index (0|[1-9]\d*)$/.test(index) || !isWhole) return null;
  return { entry, index: Number(index.slice(6)), proof, checkpoint: text.slice(end + 2) };
}
