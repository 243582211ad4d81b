import { auditEntry } from '../../audit/entry.ts';
import { createExportFile, type ProvenEntry } from '../../audit/export-file.ts';
import { logSigners } from '../../audit/log-keys.ts';
import { inclusionProof } from '../../audit/merkle-tree.ts';
import { nodesIn, proofTiles, rememberNodes, type TilePlace } from '../../audit/tile.ts';
import { newId } from '../../crypto/random.ts';
import { filterFacts, type LogFilter } from '../../audit/log-filter.ts';
import { Problem } from '../../model/problem.ts';
import type { LogSnapshot } from '../../store/log/log-snapshot.ts';
import type { Engine } from '../engine.ts';
import { incomplete } from './export-log.ts';

/** Entries that are looked at and proved at a time; more are never in memory. */
const batchSize = 1024;

export interface ExportTarget {
  /** Takes the next part of the file. */
  write(text: string): Promise<void>;
  /** Told after each batch: so many entries of so many were looked at. */
  onProgress?(done: number, size: number): void;
}

export interface ExportedEntries {
  origin: string;
  /** How many entries the log has, and how many of them were written. */
  size: number;
  entries: number;
}

/**
 * Writes the entries that fit, with their proofs, as one file that anyone can check offline. An entry says so first.
 * However many there are, it needs the memory of one batch.
 */
export async function exportEntries(
  { readLog, accessLog, ring, now }: Pick<Engine, 'readLog' | 'accessLog' | 'ring' | 'now'>,
  filter: LogFilter,
  { write, onProgress = () => {} }: ExportTarget,
): Promise<ExportedEntries> {
  const at = now();
  const facts = filterFacts(filter);
  const event = { type: 'access.exported' as const, what: 'log', about: facts, count: 1, since: at };
  await accessLog.append(auditEntry(newId('entry'), at, { kind: 'operator' }, event));
  return readLog(async (snapshot) => {
    const { head, origin } = snapshot;
    if (!head) throw new Problem('not-found', { detail: 'Try again later: the log has no entries yet.' });
    const file = createExportFile({ origin, checkpoint: head.note, filter: facts }, logSigners(ring, origin));
    let entries = 0;
    await write(file.begin());
    for (let from = 0; from < head.size; from += batchSize) {
      const to = Math.min(from + batchSize, head.size);
      const batch = await proveBatch(snapshot, await selectBatch(snapshot, filter, from, to), head.size);
      await write(batch.map((entry) => file.entry(entry)).join(''));
      entries += batch.length;
      onProgress(to, head.size);
    }
    await write(file.end());
    return { origin, size: head.size, entries };
  });
}

type Selected = Omit<ProvenEntry, 'proof'>;

async function selectBatch(snapshot: LogSnapshot, filter: LogFilter, from: number, to: number): Promise<Selected[]> {
  const selected = await snapshot.select(filter, from, to);
  return selected.map(({ index, body }) => {
    if (!body) throw incomplete();
    return { index, body };
  });
}

async function proveBatch(snapshot: LogSnapshot, selected: Selected[], size: number): Promise<ProvenEntry[]> {
  const places = new Map<string, TilePlace>();
  for (const { index } of selected)
    for (const place of proofTiles(index, size)) places.set(`${place.level}/${place.n}`, place);
  const nodes = rememberNodes(nodesIn(await snapshot.tiles([...places.values()])));
  return selected.map((entry) => ({ ...entry, proof: inclusionProof(nodes, entry.index, size) }));
}
