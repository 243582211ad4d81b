import { auditEntry } from '../entries/rules/entry.ts';
import { createCefFile, createCsvFile } from './rules/cef.ts';
import {
  type ExportedEntry,
  type ExportFile,
  type ExportFormat,
  createJsonlFile,
  type ExportHead,
} from './rules/file.ts';
import { createOcsfFile } from './rules/ocsf.ts';
import { logSigners } from '../tree/rules/checkpoint.ts';
import {
  inclusionProof,
  nodesIn,
  proofTiles,
  rememberNodes,
  type TilePlace,
  entryBundle,
  tilePath,
  tileWidth,
} from '../tree/rules/merkle.ts';
import { newId } from '#platform/crypto/random';
import { filterFacts, type LogFilter } from './rules/filter.ts';
import { Problem } from '#platform/model/problem';
import type { LogSnapshot } from '../verify/store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertKnown, unknownIn } from '../search/verbs.ts';

/** Entries that are looked at and proved at a time; more are never in memory. */
const batchSize = 1024;

export interface ExportTarget {
  /** Takes the next part of the file. */
  write(text: string): Promise<void>;
  /** Told after each batch: so many entries of so many were looked at. */
  onProgress?(done: number, size: number): void;
}

/**
 * Writes the entries that fit as one file, as lines of JSON with their proofs. An entry says so first. However many
 * there are, it needs the memory of one batch. INVALID_INPUT for a filter that nothing can fit.
 */
export async function exportEntries(
  engine: ExportEngine,
  { filter, format }: { filter: LogFilter; format: ExportFormat },
  { write, onProgress = () => {} }: ExportTarget,
) {
  const { readLog, accessLog, now, directory } = engine;
  assertKnown(await unknownIn(engine, filter, null));
  const at = now();
  const facts = filterFacts(filter);
  const event = { type: 'access.exported' as const, what: 'log', about: facts, count: 1, since: at };
  await accessLog.append(auditEntry(newId('entry'), at, { kind: 'operator' }, event));
  const { users } = await directory.read();
  const names = new Map<string, string>(users.map(({ id, name }) => [id, name]));
  return readLog(async (snapshot) => {
    const { head, origin } = snapshot;
    if (!head) throw new Problem('not-found', { detail: 'Try again later: the log has no entries yet.' });
    const file = createFile(engine, format, { origin, checkpoint: head.note, filter: facts });
    let entries = 0;
    await write(file.begin());
    for (let from = 0; from < head.size; from += batchSize) {
      const to = Math.min(from + batchSize, head.size);
      const selected = await selectBatch(snapshot, filter, from, to);
      const batch = format === 'jsonl' ? await proveBatch(snapshot, selected, head.size) : selected;
      await write(batch.map((entry) => file.entry({ proof: [], ...entry, names })).join(''));
      entries += batch.length;
      onProgress(to, head.size);
    }
    await write(file.end());
    return { origin, size: head.size, entries };
  });
}

type ExportEngine = Pick<Engine, 'readLog' | 'accessLog' | 'ring' | 'now' | 'directory' | 'askedNames'>;

function createFile({ ring }: ExportEngine, format: ExportFormat, head: ExportHead): ExportFile {
  switch (format) {
    case 'jsonl':
      return createJsonlFile(head, logSigners(ring, head.origin));
    case 'csv':
      return createCsvFile();
    case 'ocsf':
      return createOcsfFile(head.origin);
    case 'cef':
      return createCefFile();
  }
}

type Selected = Omit<ExportedEntry, 'proof' | 'names'>;

async function selectBatch(snapshot: LogSnapshot, filter: LogFilter, from: number, to: number): Promise<Selected[]> {
  const selected = await snapshot.select(filter, from, to);
  return selected.map(({ body, ...entry }) => {
    if (!body) throw incomplete();
    return { ...entry, body };
  });
}

async function proveBatch(
  snapshot: LogSnapshot,
  selected: Selected[],
  size: number,
): Promise<(Selected & Pick<ExportedEntry, 'proof'>)[]> {
  const places = new Map<string, TilePlace>();
  for (const { index } of selected)
    for (const place of proofTiles(index, size)) places.set(`${place.level}/${place.n}`, place);
  const nodes = rememberNodes(nodesIn(await snapshot.tiles([...places.values()])));
  return selected.map((entry) => ({ ...entry, proof: inclusionProof(nodes, entry.index, size) }));
}

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
