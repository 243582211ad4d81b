import { auditEntry } from '../../entries/rules/entry/entry.ts';
import { entryBundle } from '../../tree/rules/merkle/entry-bundle.ts';
import { tilePath, tileWidth } from '../../tree/rules/merkle/tile.ts';
import { newId } from '#platform/crypto/random/random';
import { Problem } from '#platform/model/problem/problem';
import type { LogSnapshot } from '../../verify/store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** Writes one file of the log; its path has slashes and is relative to the target. */
export type WriteFile = (path: string, content: Uint8Array) => Promise<void>;

/**
 * Writes the whole log as the files of C2SP tlog-tiles, as stored, so that other tools can verify it. An entry says so
 * first. Returns the number of entries.
 */
export async function exportLog(engine: Pick<Engine, 'readLog' | 'accessLog' | 'now'>, write: WriteFile) {
  const at = engine.now();
  const event = { type: 'access.exported' as const, what: 'log', about: [], count: 1, since: at };
  await engine.accessLog.append(auditEntry(newId('entry'), at, { kind: 'operator' }, event));
  return writeLog(engine, write);
}

const writeLog = ({ readLog }: Pick<Engine, 'readLog'>, write: WriteFile) =>
  readLog(async (snapshot) => {
    const { head, origin } = snapshot;
    if (!head) throw new Problem('not-found', { detail: 'Try again later: the log has no entries yet.' });
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

/** A number of hashes or entries as tiles. */
const cut = (size: number): { n: number; width: number }[] =>
  Array.from({ length: Math.ceil(size / tileWidth) }, (_, n) => ({
    n,
    width: Math.min(tileWidth, size - n * tileWidth),
  }));

export const incomplete = (): Problem =>
  new Problem('proof-invalid', { detail: 'Run "assentry audit verify" to see where: a part of the log is missing.' });
