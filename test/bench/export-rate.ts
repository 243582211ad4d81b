import pg from 'pg';
import { createEvidence } from '../../src/audit/evidence.ts';
import { createKeyRing } from '../../src/crypto/key-ring.ts';
import { exportEntries } from '../../src/engine/log/export-entries.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createStore } from '../../src/store/store.ts';
import { sequenceAll, writeEntries } from '../support/log.ts';
import { testSecrets } from '../support/server.ts';
import type { BenchDatabase } from './bench-database.ts';
import { nodeOptions } from './prepared.ts';
import type { Scale } from './scale.ts';

/** What an export with proofs costs. */
export interface ExportRate {
  entries: number;
  perSecond: number;
  /** Megabytes of the file. */
  size: number;
  /** Megabytes by which the process was larger at most, in the first half and in the second. */
  memory: { first: number; second: number };
}

const megabyte = 1_000_000;
const batch = 4096;

/** Exports a long log into nothing. */
export async function measureExport(database: BenchDatabase, { entries: count }: Scale): Promise<ExportRate> {
  const url = database.url('log');
  // The entries are sealed by the one, and those of the prepared database by the other.
  const ring = createKeyRing([...testSecrets, ...(nodeOptions.secrets ?? [])]);
  const open = openDatabase(url);
  const store = createStore(open, { evidence: createEvidence(ring, () => {}), onCommit() {} });
  try {
    await fill(url, count, async () => sequenceAll(store, ring));
    let bytes = 0;
    const write = async (text: string): Promise<void> => void (bytes += Buffer.byteLength(text));
    const memory = watchMemory();
    const start = performance.now();
    const { entries } = await exportEntries(
      { ...store, ring, now: Date.now },
      { filter: {}, format: 'jsonl' },
      { write, onProgress: memory.look },
    );
    const seconds = (performance.now() - start) / 1000;
    return { entries, perSecond: entries / seconds, size: bytes / megabyte, memory: memory.peaks };
  } finally {
    await open.close();
  }
}

async function fill(connectionString: string, count: number, sequence: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (let done = 0; done < count; done += batch) {
      await writeEntries(Math.min(batch, count - done), client);
      await sequence();
    }
    await client.query('ANALYZE audit_entry, audit_leaf');
  } finally {
    await client.end();
  }
}

function watchMemory() {
  const before = used();
  const peaks = { first: 0, second: 0 };
  const look = (done: number, size: number): void => {
    const half = done * 2 <= size ? 'first' : 'second';
    peaks[half] = Math.max(peaks[half], (used() - before) / megabyte);
  };
  return { peaks, look };
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
