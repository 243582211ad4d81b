import { createEvidence } from '#audit/entries/rules/evidence';
import type { LogFilter } from '#audit/exports/rules/filter';
import { inclusionProof, nodesIn, proofTiles } from '#audit/tree/rules/merkle';
import { createKeyRing } from '#platform/crypto/key-ring';
import { beginCheck, continueCheck } from '#audit/verify/verbs/verify-log';
import { openDatabase } from '#platform/database/database';
import type { EntryPosition } from '#audit/search/store';
import { createStore, type Store } from '#platform/database/store';
import { sequenceAll } from '../../support/nodes/log.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode } from '../bench-node.ts';
import { createHttpCaller } from '../lifecycle/http-caller.ts';
import { nodeOptions, type Prepared } from '../prepared.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { percentile } from '../statistics.ts';
import { measureExport, type ExportRate } from './export-rate.ts';
import { beat, begin, digestOf, fillLog, fillRequests, idOf, personOf, rarePerson } from './fill-log.ts';

/** What a reviewer waits for in a long log. */
export interface LogTimes {
  entries: number;
  /** Milliseconds: the slowest of a few pages for each search. */
  searches: { filter: string; milliseconds: number }[];
  /** Milliseconds of the proof of one entry, from its id. */
  proof: { count: number; p50: number; p99: number };
  /** Entries in a second: leaves, tiles, roots, checkpoints and MACs, without the rows of requests. */
  verified: { perSecond: number; seconds: number };
  export: ExportRate;
}

/** Fills a log, then verifies, exports, proves and searches it. */
export async function measureLog(
  database: BenchDatabase,
  prepared: Prepared,
  { entries: count, proofs }: Scale,
): Promise<LogTimes> {
  const url = database.url('log');
  await openOne(url, prepared);
  const ring = createKeyRing(nodeOptions.secrets ?? []);
  const evidence = createEvidence(ring, () => {});
  const open = openDatabase(url);
  const store = createStore(open, { evidence, onCommit() {} });
  try {
    await fillLog(url, { count, evidence, sequence: async () => sequenceAll(store, ring) });
    const verified = await measureVerification(store, ring);
    const exported = await measureExport({ ...store, ring, now: Date.now });
    const proof = await measureProofs(store, proofs);
    await fillRequests(url, count);
    const searches = await measureSearches(store, Math.ceil(count / 4));
    const entries = (await store.merkleLog.latest())?.size ?? 0;
    return { entries, searches, proof, verified, export: exported };
  } finally {
    await open.close();
  }
}

/** The request of which the others are copies. */
async function openOne(url: string, prepared: Prepared): Promise<void> {
  const node = await startBenchNode(url);
  const caller = await createHttpCaller(node.url, prepared);
  await caller.open().finally(async () => {
    caller.close();
    await node.stop();
  });
}

async function measureVerification(
  store: Store,
  ring: ReturnType<typeof createKeyRing>,
): Promise<LogTimes['verified']> {
  const start = performance.now();
  const { fault, size } = await store.readLog(async (snapshot) => {
    const check = beginCheck(ring, snapshot.origin, { keys: [], kept: [] });
    await continueCheck(snapshot, check);
    return check;
  });
  if (fault !== null) throw new TypeError(fault);
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: size / seconds, seconds };
}

/** As a receipt finds them, at places all over the log. */
async function measureProofs({ merkleLog, readLog }: Store, count: number): Promise<LogTimes['proof']> {
  const head = await merkleLog.latest();
  const size = head?.size ?? 0;
  const places = Array.from({ length: count }, (_, at) => Math.floor((at * size) / count));
  const ids = await readLog(async (snapshot) => {
    const entries = [];
    for (const place of places) entries.push(...(await snapshot.entries(place, 1)));
    return entries.map(({ entryId }) => entryId);
  });
  const times: number[] = [];
  for (const id of ids) {
    const start = performance.now();
    const index = (await merkleLog.indexOf(id)) ?? 0;
    inclusionProof(nodesIn(await merkleLog.tiles(proofTiles(index, size))), index, size);
    times.push(performance.now() - start);
  }
  return { count, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Entries on a page, as the console asks for them, and one more. */
const page = 51;
const repetitions = 5;

async function measureSearches({ entries }: Store, requests: number): Promise<LogTimes['searches']> {
  const searches: LogTimes['searches'] = [];
  for (const [filter, after] of searchesOf(requests)) {
    const times: number[] = [];
    for (let at = 0; at < repetitions; at += 1) {
      const start = performance.now();
      await entries.page(filter, after, page);
      times.push(performance.now() - start);
    }
    const name = after ? 'none, in the middle' : nameOf(filter);
    searches.push({ filter: name, milliseconds: Math.max(...times) });
  }
  return searches;
}

const nameOf = (filter: LogFilter): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name}=${String(value).slice(-8)}`)
    .join(' ') || 'none';

/** What is common, what is there once, and what is not there. */
function searchesOf(requests: number): [LogFilter, EntryPosition | null][] {
  const middle = begin + Math.floor(requests / 2) * beat;
  const filters: LogFilter[] = [
    {},
    { person: personOf(7) },
    { person: rarePerson },
    { person: personOf(99) },
    { tool: 'tool_7' },
    { tool: 'rare' },
    { tool: 'none' },
    { server: 'payments' },
    { server: 'none' },
    { policy: 'policy_7' },
    { policy: 'none' },
    { outcome: 'accepted' },
    { outcome: 'expired' },
    { outcome: 'declined' },
    { digest: digestOf(requests - 1) },
    { digest: 'none' },
    { request: idOf(1) },
    { from: middle, to: middle + 86_400_000 },
    { from: begin - 86_400_000, to: begin },
    { from: begin, to: middle, tool: 'rare' },
    { from: begin, to: middle, tool: 'tool_7', person: personOf(7) },
    { tool: 'tool_7', person: personOf(8), policy: 'policy_9' },
  ];
  return [...filters.map((filter): [LogFilter, null] => [filter, null]), [{}, { at: middle, id: 'aud_' }]];
}
