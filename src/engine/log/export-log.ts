import { entryBundle } from '../../audit/entry-bundle.ts';
import { tilePath, tileWidth } from '../../audit/tile.ts';
import { Problem } from '../../model/problem.ts';
import type { LogSnapshot } from '../../store/log/log-snapshot.ts';
import type { Engine } from '../engine.ts';

/** Takes one file of the log by its path, with slashes, below wherever the log goes. */
export type WriteFile = (path: string, content: Uint8Array) => Promise<void>;

/**
 * Gives out the whole log as the files that C2SP tlog-tiles names, as they are stored: a tool that knows that format
 * can verify them without us. Returns how many entries there are.
 */
export const exportLog = ({ readLog }: Pick<Engine, 'readLog'>, write: WriteFile) =>
  readLog(async (snapshot) => {
    const { head, origin } = snapshot;
    if (!head) throw new Problem('not-found', { detail: 'The log has no entry yet.' });
    await write('checkpoint', Buffer.from(head.note));
    await exportBundles(snapshot, head.size, write);
    for (let [level, width] = [0, head.size]; width > 0; [level, width] = [level + 1, Math.floor(width / tileWidth)]) {
      await exportLevel(snapshot, level, width, write);
    }
    return { origin, size: head.size };
  });

async function exportBundles(snapshot: LogSnapshot, size: number, write: WriteFile): Promise<void> {
  for (const { n, width } of cut(size)) {
    const entries = await snapshot.entries(n * tileWidth, width);
    const bodies = entries.flatMap(({ stored }) => stored?.body ?? []);
    if (bodies.length !== width) throw incomplete();
    await write(tilePath('entries', n, width), entryBundle(bodies));
  }
}

async function exportLevel(snapshot: LogSnapshot, level: number, size: number, write: WriteFile): Promise<void> {
  for (const { n, width } of cut(size)) {
    const [tile] = await snapshot.tiles([{ level, n }]);
    if (!tile) throw incomplete();
    await write(tilePath(level, n, width), tile.hashes);
  }
}

/** So many hashes or entries as tiles. */
const cut = (size: number): { n: number; width: number }[] =>
  Array.from({ length: Math.ceil(size / tileWidth) }, (_, n) => ({
    n,
    width: Math.min(tileWidth, size - n * tileWidth),
  }));

const incomplete = (): Problem =>
  new Problem('proof-invalid', { detail: 'A part of the log is gone. "assentry audit verify" says where.' });
