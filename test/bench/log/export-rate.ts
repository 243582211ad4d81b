import { exportEntries } from '#audit/exports/verbs';

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

/** Exports the whole log into nothing. */
export async function measureExport(engine: Parameters<typeof exportEntries>[0]): Promise<ExportRate> {
  let bytes = 0;
  const write = async (text: string): Promise<void> => void (bytes += Buffer.byteLength(text));
  const memory = watchMemory();
  const start = performance.now();
  const { entries } = await exportEntries(engine, { filter: {}, format: 'jsonl' }, { write, onProgress: memory.look });
  const seconds = (performance.now() - start) / 1000;
  return { entries, perSecond: entries / seconds, size: bytes / megabyte, memory: memory.peaks };
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
