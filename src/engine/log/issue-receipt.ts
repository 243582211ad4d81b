import { setTimeout as sleep } from 'node:timers/promises';
import { readEntry, type StoredEvent } from '../../audit/entry.ts';
import { inclusionProof } from '../../audit/merkle-tree.ts';
import { writeReceipt } from '../../audit/receipt.ts';
import { nodesIn, proofTiles } from '../../audit/tile.ts';
import type { ElicitationId } from '../../model/id.ts';
import type { KeyScope, User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { refuseForeign } from '../key-scope.ts';
import { pageVisitor } from '../pages/page-visitor.ts';
import { refuseHidden } from '../sight/sight-of.ts';
import { currentElicitation } from '../elicitation/change.ts';
import { witnessedHead } from './witnessed.ts';

/** Milliseconds to wait until the entry has its place in the log, and between two looks. */
const timeoutMs = 3000;
const pause = 100;

/**
 * The receipt of an ended elicitation, for people who may see it: the entry that ended it, and the proof that the log
 * holds it.
 */
export async function issueReceipt(engine: Engine, user: User, id: ElicitationId): Promise<string> {
  const row = await currentElicitation(engine, id);
  await refuseHidden(engine, user, row, 'notice');
  return receiptOf(engine, row);
}

/** The same for a key; what it does not open counts as absent. */
export async function issueOwnReceipt(engine: Engine, server: KeyScope, id: ElicitationId): Promise<string> {
  const row = await currentElicitation(engine, id);
  refuseForeign(row, server);
  return receiptOf(engine, row);
}

/** The same for the requester, in the browser that proved to be theirs; in any other the link is not valid. */
export async function issuePageReceipt(engine: Engine, row: ElicitationRow, secret: string): Promise<string> {
  const { actor } = await pageVisitor(engine, row, secret);
  if (!actor || row.status === 'open') throw new Problem('token-invalid');
  return receiptOf(engine, row);
}

async function receiptOf(engine: Engine, { id, status }: ElicitationRow): Promise<string> {
  if (status === 'open') throw new Problem('not-now', { refusal: { code: 'receipt-when-ended' } });
  const { reader, merkleLog } = engine;
  const entry = (await reader.history(id)).findLast((body) => isEnd(readEntry(body)));
  if (!entry) throw new Problem('internal');
  const index = await placeOf(merkleLog, readEntry(entry).id);
  // At least as new as the place that was just read.
  const head = (await witnessedHead(engine, index)) ?? (await merkleLog.latest());
  if (!head) throw new Problem('internal');
  const tiles = await merkleLog.tiles(proofTiles(index, head.size));
  const proof = inclusionProof(nodesIn(tiles), index, head.size);
  return writeReceipt({ entry, index, proof, checkpoint: head.note });
}

/** Of the entries about an elicitation, only the last one about its state leaves `open`. */
const isEnd = (event: StoredEvent): boolean => 'revision' in event && 'to' in event && event.to !== 'open';

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
