import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import { entryIn, type StoredEvent } from '../../entries/rules/entry/entry.ts';
import { judgeNote } from '../../tree/rules/checkpoint/judge-note.ts';
import { logSigners } from '../../tree/rules/checkpoint/log-keys.ts';
import { checkSignatures } from '../rules/signed-receipt.ts';
import { checkpointIn, isEnd, openReceipt } from '../rules/receipt.ts';
import type { ReceiptVerdict } from '../../reports/contract/report.ts';
import type { User } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { namesIn } from '../../verify/verbs/verify-state/names-in.ts';

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
  const none = { proven: null, names: {} };
  if (!opened) {
    const judged = judgeNote(checkpointIn(text) ?? '', signers);
    return { verdict: judged?.verdict ?? 'no-receipt', origin: judged?.origin ?? null, ...none };
  }
  const entry = entryIn(opened.entry);
  if (!entry || !isEnd(entry)) return { verdict: 'no-receipt', origin, ...none };
  const signatures = await checkSignatures(text, entry, opened.checkpoint);
  if (signatures.some(({ fault }) => fault !== null)) return { verdict: 'altered', origin, ...none };
  const names = namesIn([{ body: opened.entry }], (await rules.users()).names);
  return { verdict: 'genuine', origin, proven: { place: opened.index, size: opened.checkpoint.size, entry }, names };
}
