import { setTimeout as sleep } from 'node:timers/promises';
import { toBase64 } from '../tree/rules/notes.ts';
import { readEntry, type StoredEvent, entryIn } from '../entries/rules/entry.ts';
import { inclusionProof, nodesIn, proofTiles } from '../tree/rules/merkle.ts';
import {
  isEnd,
  withSignatures,
  withSteps,
  writeReceipt,
  type EntryProof,
  type KeptSteps,
  type SignedEntry,
  checkSignatures,
  checkSteps,
  checkpointIn,
  openReceipt,
} from './rules.ts';
import type { ElicitationId } from '#platform/model/id';
import type { KeyScope, User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';
import { pageVisitor } from '#requests/pages/verbs/page';
import { assertVisible } from '#requests/inbox/verbs/visibility';
import { currentElicitation } from '#requests/state/verbs/change';
import { witnessedHead } from '../tree/verbs.ts';
import { assertMay } from '#people/directory/verbs/may';
import { judgeNote, logSigners } from '../tree/rules/checkpoint.ts';
import { namesIn } from '../verify/verbs/verify-state.ts';
import type { VerifiedReceipt } from '../search/contract.ts';

/** Milliseconds to wait until the entry has its place in the log, and between two looks. */
const timeoutMs = 3000;
const pause = 100;

/**
 * The receipt of an ended elicitation, for people who may see it: the entry that ended it, and the proof that the log
 * holds it.
 */
export async function issueReceipt(engine: Engine, user: User, id: ElicitationId): Promise<string> {
  const row = await currentElicitation(engine, id);
  await assertVisible(engine, user, row, 'notice');
  return receiptOf(engine, row);
}

/** Issues a receipt for a key; a request that it does not open counts as absent. */
export async function issueOwnReceipt(engine: Engine, server: KeyScope, id: ElicitationId): Promise<string> {
  const row = await currentElicitation(engine, id);
  assertOwn(row, server);
  return receiptOf(engine, row);
}

/** Issues a receipt for the requester, in the browser that proved to be theirs; in any other the link is not valid. */
export async function issuePageReceipt(engine: Engine, row: ElicitationRow, secret: string): Promise<string> {
  const actor = await pageVisitor(engine, row, secret);
  if (!actor || row.status === 'open') throw new Problem('token-invalid');
  return receiptOf(engine, row);
}

async function receiptOf(engine: Engine, row: ElicitationRow): Promise<string> {
  const { id, status } = row;
  if (status === 'open') throw new Problem('not-now', { refusal: { code: 'receipt-when-ended' } });
  const { reader, merkleLog } = engine;
  const history = await reader.history(id);
  // Only the last entry about an elicitation's state leaves `open`.
  const entry = history.findLast((body) => isEnd(readEntry(body)));
  if (!entry) throw new Problem('internal');
  const index = await placeOf(merkleLog, readEntry(entry).id);
  // At least as new as the place that was just read.
  const head = (await witnessedHead(engine, index)) ?? (await merkleLog.latest());
  if (!head) throw new Problem('internal');
  const proof = await proofOf(merkleLog, index, head.size);
  const receipt = writeReceipt({ entry, index, proof, checkpoint: head.note });
  const steps = await keptSteps(engine, history, head.size);
  return withSignatures(withSteps(receipt, steps), await signedEntries(engine, row, history, head.size));
}

/** Steps that providers have confirmed before, if the request was opened with any. */
async function keptSteps(
  { reader, merkleLog }: Pick<Engine, 'reader' | 'merkleLog'>,
  history: Uint8Array[],
  size: number,
): Promise<KeptSteps | null> {
  const opened = history.find((body) => readEntry(body).type === 'elicitation.opened');
  const event = opened && readEntry(opened);
  if (!opened || event?.type !== 'elicitation.opened' || !event.after) return null;
  const ends = await Promise.all(
    event.after.map(async (id) => (await reader.history(id)).findLast((body) => isEnd(readEntry(body)))),
  );
  const steps = ends.filter((body) => body !== undefined);
  return {
    opened: await provenAt(merkleLog, opened, size),
    steps: await Promise.all(steps.map((body) => provenAt(merkleLog, body, size))),
  };
}

/** An entry with the proof that the log of this size holds it. */
async function provenAt(merkleLog: Engine['merkleLog'], body: Uint8Array, size: number): Promise<EntryProof> {
  const index = await placeOf(merkleLog, readEntry(body).id);
  const proof = await proofOf(merkleLog, index, size);
  return { entry: toBase64(body), index, proof: proof.map(toBase64) };
}

/** The signed votes that count, each with its entry and the one that added its passkey. */
async function signedEntries(
  { passkeys, merkleLog }: Pick<Engine, 'passkeys' | 'merkleLog'>,
  { id, state }: ElicitationRow,
  history: Uint8Array[],
  size: number,
): Promise<SignedEntry[]> {
  const events = history.map((body) => ({ body, event: readEntry(body) }));
  const isCounted = ({ actor, at }: StoredEvent): boolean =>
    state.context.votes.some((vote) => actor.kind === 'user' && vote.by === actor.id && vote.at === Date.parse(at));
  const signed = (await passkeys.signedVotes(id)).flatMap((row) => {
    const cast = events.find(({ event }) => event.type === 'elicitation.voted' && event.vote === row.vote);
    return cast && isCounted(cast.event) ? [{ ...row, cast }] : [];
  });
  return Promise.all(
    signed.map(async ({ cast, entry, signature }) => ({
      vote: await provenAt(merkleLog, cast.body, size),
      passkey: await provenAt(merkleLog, entry, size),
      signature,
    })),
  );
}

const proofOf = async (merkleLog: Engine['merkleLog'], index: number, size: number): Promise<Buffer[]> =>
  inclusionProof(nodesIn(await merkleLog.tiles(proofTiles(index, size))), index, size);

async function placeOf(merkleLog: Engine['merkleLog'], entryId: string): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const index = await merkleLog.indexOf(entryId);
    if (index !== null) return index;
    if (performance.now() > deadline) {
      throw new Problem('not-now', {
        refusal: { code: 'receipt-soon' },
        retryAfter: 1,
      });
    }
    await sleep(pause);
  }
}

interface CheckedReceipt extends Omit<VerifiedReceipt, 'proven'> {
  proven: { place: number; size: number; entry: StoredEvent } | null;
}

/** Whether this receipt was issued by this installation and is as it was issued, for administrators and reviewers. */
export async function verifyReceipt(
  { merkleLog, ring, rules }: Pick<Engine, 'merkleLog' | 'ring' | 'rules'>,
  user: User,
  text: string,
): Promise<CheckedReceipt> {
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
  const isAltered = signatures.some(({ fault }) => fault !== null) || checkSteps(text, entry, opened.checkpoint).fault;
  if (isAltered) return { verdict: 'altered', origin, ...none };
  const names = namesIn([{ body: opened.entry }], (await rules.users()).names);
  return { verdict: 'genuine', origin, proven: { place: opened.index, size: opened.checkpoint.size, entry }, names };
}
