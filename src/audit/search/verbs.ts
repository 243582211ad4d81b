import { openCheckpoint, type Checkpoint, logSigners } from '../tree/rules/checkpoint.ts';
import { assertServersOf, assertMay } from '#people/directory/verbs/may';
import { entryIn, type StoredEvent, leafHash, recordOf, type RequestRecord } from '../entries/rules/entry.ts';
import { createEvidence } from '../entries/rules/evidence.ts';
import {
  isIncluded,
  inclusionProof,
  nodesIn,
  proofTiles,
  rememberNodes,
  entryBundle,
  parseTileNumber,
  tileWidth,
} from '../tree/rules/merkle.ts';
import { type ElicitationId, isId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import type { ProofState } from '../reports/contract/report.ts';
import type { User } from '#people/directory/contract/user';
import type { PlacedBody, EntryPosition } from './store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { namesIn } from '../verify/verbs/verify-state.ts';
import { filterFacts, type LogFilter } from '../exports/rules/filter.ts';
import type { AskedNames } from '../entries/store/asked-names.ts';

interface ProvenRecord extends RequestRecord {
  id: ElicitationId;
  /** An entry is null if it cannot be read. */
  entries: { place: number | null; proof: ProofState; entry: StoredEvent | null }[];
  names: Record<string, string>;
  /** The signed head that the entries were verified against, its root in base64; null before the first. */
  head: { size: number; root: string } | null;
}

type RecordEngine = Pick<Engine, 'directory' | 'reader' | 'access' | 'entries' | 'merkleLog' | 'ring' | 'rules'>;

/**
 * Everything the log says about one request, for administrators and reviewers, everywhere or of the server's space: each
 * entry verified against the signed head, and what follows from them. No content. An entry says who read it first.
 */
export async function showRecord(engine: RecordEngine, user: User, id: ElicitationId): Promise<ProvenRecord> {
  await assertReadable(engine, user, id);
  const by = { kind: 'user', id: user.id } as const;
  await engine.access.recordAccess({ type: 'access.listed', what: 'log', by, about: [`request=${id}`] });
  const bodies = await engine.entries.about(id);
  const entries = bodies.map(({ body }) => entryIn(body));
  const record = recordOf(entries.filter((entry) => entry !== null));
  if (!record) throw new Problem(entries.includes(null) ? 'unproven' : 'not-found');
  const { head, proofs } = await proofsOf(engine, bodies);
  return {
    id,
    ...record,
    entries: bodies.map(({ place }, at) => ({ place, proof: proofs[at]!, entry: entries[at] ?? null })),
    names: namesIn(bodies, (await engine.rules.users()).names),
    head: head && { size: head.size, root: Buffer.from(head.root).toString('base64') },
  };
}

/** Answers for a request of another space as for an absent one. */
async function assertReadable({ directory, reader }: RecordEngine, user: User, id: ElicitationId): Promise<void> {
  const among = assertServersOf(await directory.read(), user, 'read-log');
  if (among === null) return;
  const row = await reader.elicitation(id);
  if (!row || !among.includes(row.serverId)) throw new Problem('not-found');
}

/** The head is read after the places, so that it covers them. */
async function proofsOf(
  { merkleLog, ring }: RecordEngine,
  bodies: PlacedBody[],
): Promise<{ head: Checkpoint | null; proofs: ProofState[] }> {
  const latest = await merkleLog.latest();
  const head = latest && openCheckpoint(latest.note, logSigners(ring, await merkleLog.origin()));
  const places = bodies.flatMap(({ place }) => (head && place !== null ? proofTiles(place, head.size) : []));
  const nodes = rememberNodes(nodesIn(await merkleLog.tiles(places)));
  const evidence = createEvidence(ring, () => {});
  const stateOf = (entry: PlacedBody): ProofState => {
    if (entry.place === null) return evidence.open(entry) ? 'waiting' : 'broken';
    return head && isProven(entry.body, entry.place, head, nodes) ? 'verified' : 'broken';
  };
  return { head, proofs: bodies.map(stateOf) };
}

/** A tile that is missing proves nothing. */
function isProven(body: Uint8Array, place: number, head: Checkpoint, nodes: ReturnType<typeof nodesIn>): boolean {
  try {
    return isIncluded(leafHash(body), place, inclusionProof(nodes, place, head.size), head);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

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

interface LogSearch {
  filter: LogFilter;
  cursor?: string | undefined;
  limit: number;
}

/**
 * The entries that fit, the newest first, a page at a time, for administrators and reviewers; for those of a space, the
 * entries about requests of its servers. An entry says who searched for what first.
 */
export async function searchLog(
  {
    entries,
    access,
    rules,
    askedNames,
    directory,
    now,
  }: Pick<Engine, 'entries' | 'access' | 'rules' | 'askedNames' | 'directory' | 'now'>,
  user: User,
  { filter, cursor, limit }: LogSearch,
) {
  const among = assertServersOf(await directory.read(), user, 'read-log');
  const after = readCursor(cursor);
  const by = { kind: 'user', id: user.id } as const;
  await access.recordAccess({ type: 'access.listed', what: 'log', by, about: filterFacts(filter) });
  const rows = await entries.page(filter, after, limit + 1, among);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    entries: page.map(({ place, server, tool, body }) => ({ place, server, tool, entry: entryIn(body) })),
    names: namesIn(page, (await rules.users()).names),
    cursor: last ? writeCursor(last) : null,
    unknown: rows.length === 0 && !after ? await unknownIn({ askedNames, now }, filter, among) : [],
  };
}

const writeCursor = ({ at, id }: EntryPosition): string =>
  Buffer.from(JSON.stringify({ at, id })).toString('base64url');

function readCursor(cursor: string | undefined): EntryPosition | null {
  if (cursor === undefined) return null;
  try {
    const { at, id } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as EntryPosition;
    if (Number.isSafeInteger(at) && isId('entry', id)) return { at, id };
  } catch {
    // answered below
  }
  throw invalidInput(['cursor'], 'Start again without a cursor: this one is not valid.');
}

type Sought = Parameters<AskedNames['absent']>[0] & { from?: number | undefined };

/**
 * Why an empty answer says nothing: the filters whose value is nothing that was ever there, at the servers that the reader reads
 * about; `from` if the period is still to come, `to` if the log begins later.
 */
export async function unknownIn(
  { askedNames, now }: Pick<Engine, 'askedNames' | 'now'>,
  filter: Sought,
  among: Parameters<AskedNames['absent']>[1],
): Promise<string[]> {
  const isToCome = filter.from !== undefined && filter.from > now();
  return [...(isToCome ? ['from'] : []), ...(await askedNames.absent(filter, among))];
}

/** A file outlives the page that explains it: one that a typing error has emptied is not made. INVALID_INPUT names the filter. */
export function assertKnown([name]: string[]): void {
  if (name !== undefined) throw invalidInput([name], remedies[name] ?? remedy);
}

const remedy = 'Correct this: nothing of this name is in the log where you may read.';
const remedies: Record<string, string> = {
  from: 'Give an earlier time: this one is still to come.',
  to: 'Give a later time: the log begins after this one.',
};
