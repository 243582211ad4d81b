import { auditEntry } from '../../entries/rules/entry/entry.ts';
import { createCefFile } from '../rules/cef/cef-file.ts';
import { createCsvFile } from '../rules/cef/csv-file.ts';
import type { ExportedEntry, ExportFile, ExportFormat } from '../rules/file/export-file.ts';
import { createJsonlFile, type ExportHead } from '../rules/file/jsonl-file.ts';
import { createOcsfFile } from '../rules/ocsf.ts';
import { logSigners } from '../../tree/rules/checkpoint/log-keys.ts';
import { inclusionProof } from '../../tree/rules/merkle/merkle-tree.ts';
import { nodesIn, proofTiles, rememberNodes, type TilePlace } from '../../tree/rules/merkle/tile.ts';
import { newId } from '#platform/crypto/random/random';
import { filterFacts, type LogFilter } from '../rules/filter.ts';
import { Problem } from '#platform/model/problem/problem';
import type { LogSnapshot } from '../../verify/store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { incomplete } from './export-log.ts';
import { assertKnown, unknownIn } from '../../search/verbs/unknown-in.ts';

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
