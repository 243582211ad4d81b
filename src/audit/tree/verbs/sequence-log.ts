import { signCheckpoint, type Checkpoint, type KeptHead } from '../rules/checkpoint/checkpoint.ts';
import { headFault } from '../../verify/rules/log-check.ts';
import { logSigners } from '../rules/checkpoint/log-keys.ts';
import { rootHash } from '../rules/merkle/merkle-tree.ts';
import type { NoteSigner } from '../rules/notes/signed-note.ts';
import { growTiles, nodesIn, type Tile } from '../rules/merkle/tile.ts';
import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { Problem } from '#platform/model/problem/problem';
import type { LogEnd, MerkleLog } from '../store/merkle-log.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** The most entries that get their places in one commit. */
const batchSize = 4096;

/**
 * Gives waiting entries their places in the log and signs its new head, each time it is called. Safe on any number of
 * nodes at once; a node that dies in between loses and doubles nothing. Says whether there may be more to do. Problem
 * `proof-invalid`, and nothing is signed, if the log as it stands is not what was signed, or takes back what was signed
 * here or kept: anyone who can write to the database gets no signature for another past.
 */
export function createSequencer(
  { merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>,
  kept: KeptHead | null = null,
): () => Promise<boolean> {
  let signed = kept;
  let own: Own | undefined;
  return async () => {
    if (!(await merkleLog.isWaiting())) return false;
    if (own?.kids !== ring.kids) own = await ownKeys(merkleLog, ring);
    const { origin, signers } = own;
    let grown = signed;
    const count = await merkleLog.append(batchSize, signed?.size ?? 0, (end, leaves) => {
      const fault = headFault(end, { origin, verifiers: signers, nodes: nodesIn(end.tiles) }, signed);
      if (fault !== null) throw new Problem('proof-invalid', { detail: fault });
      const { tiles, head } = growLog(origin, end, leaves);
      const note = signCheckpoint(head, signers);
      grown = { ...head, note };
      return { tiles, note };
    });
    signed = grown;
    return count === null || count === batchSize;
  };
}

/** The log's name, which never changes, and what signs under the secrets of this moment. */
interface Own {
  kids: readonly string[];
  origin: string;
  signers: NoteSigner[];
}

async function ownKeys(merkleLog: Pick<MerkleLog, 'origin'>, ring: KeyRing): Promise<Own> {
  const origin = await merkleLog.origin();
  return { kids: ring.kids, origin, signers: logSigners(ring, origin) };
}

function growLog(origin: string, end: LogEnd, leaves: Buffer[]): { tiles: Tile[]; head: Checkpoint } {
  const { size } = end;
  const tiles = growTiles(end.tiles, size, leaves);
  const grown = size + leaves.length;
  // If a tile has grown, the last version counts.
  return { tiles, head: { origin, size: grown, root: rootHash(nodesIn([...end.tiles, ...tiles]), grown) } };
}
