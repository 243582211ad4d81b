import { entryBundle } from '../../tree/rules/merkle/entry-bundle.ts';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import { parseTileNumber, tileWidth } from '../../tree/rules/merkle/tile.ts';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type LogEngine = Pick<Engine, 'merkleLog'>;

/** The latest signed head of the log. */
export async function readCheckpointNote({ merkleLog }: LogEngine, user: User): Promise<string> {
  assertMay(user, 'read-log');
  const head = await merkleLog.latest();
  if (!head) throw new Problem('not-found');
  return head.note;
}

/** A tile, or a bundle of entries, of exactly the requested width. It never changes. */
export async function readTile(
  { merkleLog }: LogEngine,
  user: User,
  { level, tile }: { level: string; tile: string },
): Promise<Buffer> {
  assertMay(user, 'read-log');
  const place = parseTileNumber(tile);
  if (!place) throw new Problem('not-found');
  const isBundle = level === 'entries';
  const [stored] = await merkleLog.tiles([{ level: isBundle ? 0 : Number(level), n: place.n }]);
  const hashes = stored?.hashes.subarray(0, place.width * 32);
  if (hashes?.length !== place.width * 32) throw new Problem('not-found');
  return isBundle ? entryBundle(await merkleLog.bodies(place.n * tileWidth, place.width)) : hashes;
}
