import { signCheckpoint } from '../audit/checkpoint.ts';
import { logSigners } from '../audit/log-keys.ts';
import { rootHash } from '../audit/merkle-tree.ts';
import type { NoteSigner } from '../audit/signed-note.ts';
import { growTiles, nodesIn } from '../audit/tile.ts';
import type { LogEnd, LogGrowth } from '../store/merkle-log.ts';
import type { Engine } from './engine.ts';

/** Entries that get their places in one commit at most. */
const batchSize = 4096;

/**
 * Gives waiting entries their places in the log and signs its new head. Safe on any number of nodes at once; a node
 * that dies in between loses and doubles nothing. Says whether there may be more to do.
 */
export async function sequenceLog({ merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>): Promise<boolean> {
  if (!(await merkleLog.isWaiting())) return false;
  const origin = await merkleLog.origin();
  const signers = logSigners(ring, origin);
  const taken = await merkleLog.append(batchSize, (end, leaves) => growLog(origin, signers, end, leaves));
  return taken === null || taken === batchSize;
}

function growLog(origin: string, signers: NoteSigner[], { size, edge }: LogEnd, leaves: Buffer[]): LogGrowth {
  const tiles = growTiles(edge, size, leaves);
  const grown = size + leaves.length;
  // Of a tile that was begun before, the grown one counts: it comes last.
  const root = rootHash(nodesIn([...edge, ...tiles]), grown);
  return { tiles, note: signCheckpoint({ origin, size: grown, root }, signers) };
}
