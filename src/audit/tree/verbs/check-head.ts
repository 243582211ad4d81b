import { keptHead, type KeptHead } from '../rules/checkpoint/checkpoint.ts';
import { headFault } from '../../verify/rules/log-check.ts';
import { logSigners } from '../rules/checkpoint/log-keys.ts';
import { edgeTiles, nodesIn, proofTiles } from '../rules/merkle/tile.ts';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/**
 * The head of the log as it stands, or null before the first. Problem `proof-invalid` if it does not go on from the head
 * that was kept: the log was cut off, emptied, written again, or is another one.
 */
export async function checkHead(
  { merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>,
  kept: KeptHead | null,
): Promise<KeptHead | null> {
  const origin = await merkleLog.origin();
  if (kept && kept.origin !== origin) throw faulty(`This is the log ${origin}, but a head of ${kept.origin} was kept.`);
  const { size, note } = (await merkleLog.latest()) ?? { size: 0, note: null };
  const isLonger = kept !== null && kept.size > 0 && kept.size <= size;
  const tiles = await merkleLog.tiles(isLonger ? proofTiles(kept.size - 1, size) : edgeTiles(size));
  const log = { origin, verifiers: logSigners(ring, origin), nodes: nodesIn(tiles) };
  const fault = faultIn(() => headFault({ size, note }, log, kept));
  if (fault !== null) throw faulty(fault);
  return note === null ? null : keptHead(note);
}

/** A tree of which a part is gone has no root. */
function faultIn(check: () => string | null): string | null {
  try {
    return check();
  } catch {
    return 'Tiles of the log are gone or too short.';
  }
}

const faulty = (detail: string): Problem => new Problem('proof-invalid', { detail });
