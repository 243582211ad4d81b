import { auditEntry } from '../entries/rules/entry.ts';
import type { ExportedEntry } from '../exports/rules/file.ts';
import { newId } from '#platform/crypto/random';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { StreamState } from '#platform/nodes/contract/ready';

/** Entries of the log in their order, from one place up to before another. */
export interface StreamBatch {
  origin: string;
  from: number;
  to: number;
  entries: ExportedEntry[];
}

/** Why a batch did not arrive, and how many milliseconds the receiver asks to wait. */
interface StreamFault {
  code: string;
  wait: number;
}

/** Hands a batch over; resolves with null when the receiver has it. */
export type Deliver = (batch: StreamBatch) => Promise<StreamFault | null>;

type StreamEngine = Pick<Engine, 'streams' | 'readLog' | 'directory' | 'now'>;

/** Entries that are read and handed over at a time; more are never in memory. */
const batchSize = 256;
/** Milliseconds for which one node streams, unless it goes on; longer than a delivery takes. */
const term = 30_000;
/** Milliseconds between two attempts. */
const [minWaitMs, maxWaitMs] = [1000, 60_000];

/**
 * Delivers the next entries that have a place in the log, and then notes that they arrived: each arrives at least once,
 * in the order of the log. Of all nodes one does so. Returns whether it delivered any.
 */
export async function streamLog(
  engine: StreamEngine,
  { name, node }: { name: string; node: string },
  deliver: Deliver,
): Promise<boolean> {
  const { streams, now } = engine;
  const state = await findStream(engine, name);
  if (state && state.delivered === state.size && state.fault === null) return false;
  if (!state) await begin(engine, name);
  const hold = { name, node, at: now() };
  const place = await streams.hold(hold, hold.at + term);
  if (place === null) return false;
  const batch = await readBatch(engine, place);
  const fault = await handOver(batch, deliver);
  if (fault === null) await streams.advance(hold, place, batch.to);
  else await streams.fail(hold, fault.code, now() + waitAfter(state, fault));
  return fault === null && batch.to > batch.from;
}

/** Null before its first turn. */
const findStream = async ({ streams }: Pick<Engine, 'streams'>, name: string): Promise<StreamState | null> =>
  (await streams.list()).find((stream) => stream.name === name) ?? null;

async function begin({ streams, now }: StreamEngine, name: string): Promise<void> {
  const at = now();
  const event = { type: 'access.exported' as const, what: 'log', about: [`stream=${name}`], count: 1, since: at };
  await streams.begin(name, auditEntry(newId('entry'), at, { kind: 'operator' }, event));
}

/** Begins with the first entry again if the database says that more arrived than the log has. */
async function readBatch({ readLog, directory }: StreamEngine, place: number): Promise<StreamBatch> {
  const { users } = await directory.read();
  const names = new Map<string, string>(users.map(({ id, name }) => [id, name]));
  return readLog(async (snapshot) => {
    const size = snapshot.head?.size ?? 0;
    const from = place > size ? 0 : place;
    const to = Math.min(from + batchSize, size);
    const selected = await snapshot.select({}, from, to);
    const entries = selected.flatMap(({ body, ...entry }) => (body ? [{ ...entry, body, proof: [], names }] : []));
    return { origin: snapshot.origin, from, to, entries };
  });
}

/** A removed entry stops the stream: nothing is passed over in silence. */
async function handOver(batch: StreamBatch, deliver: Deliver): Promise<StreamFault | null> {
  if (batch.entries.length !== batch.to - batch.from) return { code: 'proof-invalid', wait: 0 };
  return batch.entries.length === 0 ? null : deliver(batch);
}

/** Twice as long after each failure, and as long as the receiver asks. */
const waitAfter = (state: StreamState | null, { wait }: StreamFault): number =>
  Math.min(Math.max(minWaitMs * 2 ** (state?.failures ?? 0), wait), maxWaitMs);
