import { keptHead } from '#core/audit/checkpoint';
import { assertMay } from '../assert-may.ts';
import { entryIn, type StoredEvent } from '#core/audit/entry';
import { logSigners } from '#core/audit/log-keys';
import { checkSignatures } from '#core/audit/signed-receipt';
import { checkpointIn, openReceipt } from '#core/audit/receipt';
import { divideNote } from '#core/audit/signed-note';
import type { ReceiptVerdict } from '#protocol/model/report';
import type { User } from '#protocol/model/user';
import type { Engine } from '../engine.ts';
import { namesIn } from './internal/names-in.ts';

interface VerifiedReceipt {
  verdict: ReceiptVerdict;
  /** Whose log the receipt says it is from; null if it is no receipt. */
  origin: string | null;
  /** Only of a genuine one: what it proves, and where in the log. */
  proven: { place: number; size: number; entry: StoredEvent } | null;
  /** The name of each person in it, by id. */
  names: Record<string, string>;
}

/** Whether this receipt was issued by this installation and is as it was issued, for administrators and reviewers. */
export async function verifyReceipt(
  { merkleLog, ring, rules }: Pick<Engine, 'merkleLog' | 'ring' | 'rules'>,
  user: User,
  text: string,
): Promise<VerifiedReceipt> {
  assertMay(user, 'read-log');
  const origin = await merkleLog.origin();
  const signers = logSigners(ring, origin);
  const opened = openReceipt(text, signers);
  const entry = opened && entryIn(opened.entry);
  const signatures = opened && entry ? await checkSignatures(text, entry, opened.checkpoint) : [];
  if (signatures.some(({ fault }) => fault !== null)) return { verdict: 'altered', origin, proven: null, names: {} };
  if (opened && entry) {
    const names = namesIn([{ body: opened.entry }], (await rules.users()).names);
    return { verdict: 'genuine', origin, proven: { place: opened.index, size: opened.checkpoint.size, entry }, names };
  }
  const note = checkpointIn(text);
  const claimed = note === null ? null : (keptHead(note)?.origin ?? null);
  const kids = new Set(signers.map(({ id }) => Buffer.from(id).toString('hex')));
  const isSignedByUs = divideNote(note ?? '')?.lines.some(({ id }) => kids.has(Buffer.from(id).toString('hex')));
  return { verdict: verdictOf(claimed, origin, isSignedByUs === true), origin: claimed, proven: null, names: {} };
}

/** Without a key of ours at its signatures, a former secret may have signed it: nothing here can say. */
function verdictOf(claimed: string | null, origin: string, isSignedByUs: boolean): ReceiptVerdict {
  if (claimed === null) return 'no-receipt';
  if (claimed !== origin) return 'not-ours';
  return isSignedByUs ? 'altered' : 'unknown-key';
}
