import { isDeepStrictEqual } from 'node:util';
import { readCheckpoint, type KeptHead } from '../tree/rules/checkpoint.ts';
import { isSubject, readEntry, type StoredEvent, leafHash } from '../entries/rules/entry.ts';
import { isConsistent, consistencyProof, rootHash, type Nodes, tileWidth, type Tile } from '../tree/rules/merkle.ts';
import { readNote, type NoteVerifier } from '../tree/rules/notes.ts';
import { searchKeys, type SearchKeys, type Proof, type RowDigests } from '../entries/rules/evidence.ts';

/** An entry at its place in the log, as it is stored. */
export interface PlacedEntry {
  index: number;
  entryId: string;
  /** Null if there is no such entry. */
  stored: StoredColumns | null;
}

interface StoredColumns {
  at: number;
  type: string;
  elicitationId: string | null;
  subjectId: string | null;
  body: Uint8Array;
  leafHash: Uint8Array;
  mac: Uint8Array;
  /** Null in entries of a version that had no such columns: a search reads their bodies. */
  searchKeys: Record<keyof SearchKeys, string | null> | null;
}

/** The fault of the entry at this place, as a sentence; null if there is none. */
export function entryFault({ index, entryId, stored }: PlacedEntry, expected: number): string | null {
  if (index !== expected) return `Place ${expected} of the log is empty: an entry was removed.`;
  if (!stored) return `The entry ${entryId} at place ${index} is missing.`;
  if (!leafHash(stored.body).equals(stored.leafHash)) return `The entry ${entryId} at place ${index} was changed.`;
  const isSame = sameColumns(entryId, stored);
  return isSame ? null : `The row of the entry ${entryId} at place ${index} differs from the entry itself.`;
}

/** Readers use the columns next to the body, which the leaf hash does not cover. */
function sameColumns(
  id: string,
  { at, type, elicitationId, subjectId, body, searchKeys: stored }: StoredColumns,
): boolean {
  const event = parseEntry(body);
  const elicitation = event && 'elicitation' in event ? event.elicitation : null;
  if (event?.id !== id || Date.parse(event.at) !== at || event.type !== type || elicitation !== elicitationId)
    return false;
  if (stored && !isDeepStrictEqual(stored, searchKeys(event.actor, event))) return false;
  return subjectId === null || isSubject(event, event.rows, subjectId);
}

/** A forger of the log may have left anything in it. */
function parseEntry(body: Uint8Array): StoredEvent | null {
  try {
    return readEntry(body);
  } catch {
    return null;
  }
}

/** The first place where stored tiles differ from the entries; null if there is none. */
export function tileFault(computed: Tile[], stored: Tile[]): string | null {
  for (const tile of computed) {
    const hashes = stored.find(({ level, n }) => level === tile.level && n === tile.n)?.hashes;
    if (!hashes) return `The tile ${tile.level}/${tile.n} of the log is missing.`;
    const at = firstDifference(tile.hashes, hashes);
    if (at === null) continue;
    return tile.level === 0
      ? `The entry at place ${tile.n * tileWidth + at} is not the one that was logged.`
      : `The tile ${tile.level}/${tile.n} of the log was changed.`;
  }
  return null;
}

/** The first of these hashes that differs; the stored tile may have grown. */
function firstDifference(hashes: Buffer, stored: Buffer): number | null {
  for (let at = 0; at < hashes.length; at += 32) {
    if (!hashes.subarray(at, at + 32).equals(stored.subarray(at, at + 32))) return at / 32;
  }
  return null;
}

interface CheckedLog {
  origin: string;
  verifiers: NoteVerifier[];
  nodes: Nodes;
}

/** Whether a stored checkpoint is signed by a known key, or its fault as a sentence. */
export function checkCheckpoint(
  { size, note }: { size: number; note: string },
  { origin, verifiers, nodes }: CheckedLog,
): { isVerified: boolean } | { fault: string } {
  const opened = readNote(note, verifiers);
  const checkpoint = opened && readCheckpoint(opened.text);
  if (!checkpoint) return { fault: `The checkpoint over ${size} entries was not signed by this installation.` };
  if (checkpoint.origin !== origin) return { fault: `The checkpoint over ${size} entries belongs to another log.` };
  const isRoot = checkpoint.size === size && rootHash(nodes, size).equals(checkpoint.root);
  if (!isRoot) return { fault: `The first ${checkpoint.size} entries differ from the checkpoint over them.` };
  return { isVerified: opened.signers.length > 0 };
}

/**
 * Why nothing may be signed on top of this end of the log, as a sentence; null if it may. `signed` is the last head that
 * the one who asks has signed or kept. Without one, an end under unknown keys is taken: the secrets may be new.
 */
export function headFault(
  { size, note }: { size: number; note: string | null },
  log: CheckedLog,
  signed: KeptHead | null,
): string | null {
  if (signed && size < signed.size)
    return `The log ends after ${size} entries, but a checkpoint over ${signed.size} was signed: it was cut off.`;
  if (note === null) return null;
  const checked = checkCheckpoint({ size, note }, log);
  if ('fault' in checked) return checked.fault;
  if (signed && !checked.isVerified && note !== signed.note)
    return `The checkpoint over ${size} entries is signed by no known key.`;
  if (!signed) return null;
  const proof = consistencyProof(log.nodes, signed.size, size);
  const isSame = isConsistent(signed, { size, root: rootHash(log.nodes, size) }, proof);
  return isSame ? null : `The first ${signed.size} entries differ from those that were signed before.`;
}

/** An entry in the order of the log, with the number that decides which entry about a row is the latest. */
export interface TurnedEntry extends Proof {
  seq: bigint;
}

/** The log's state of rows: the digest of each by its last entry. */
export type ToldRows = Map<string, { digest: string; seq: bigint }>;

/** The mark of a deleted row in an entry. */
export const noRow = '';

/**
 * Adds the next entries of the log, with the wanted rows only. Returns a sentence about the first entry whose number
 * contradicts the order of the log, since an older entry would then count as the latest; otherwise null.
 */
export function takeEntries(
  latest: ToldRows,
  entries: readonly TurnedEntry[],
  isWanted: (rowId: string) => boolean,
): string | null {
  for (const { id, body, seq } of entries) {
    for (const [row, digest] of Object.entries(readEntry(body).rows ?? {}).filter(([row]) => isWanted(row))) {
      if ((latest.get(row)?.seq ?? -1n) >= seq)
        return `The entry ${id} about the row ${row} was moved in the order of entries.`;
      latest.set(row, { digest, seq });
    }
  }
  return null;
}

/** The first row that does not follow from the log, as a sentence; null if all do. */
export function stateFault(latest: ToldRows, stored: RowDigests): string | null {
  for (const [id, digest] of Object.entries(stored)) {
    const latestDigest = latest.get(id)?.digest;
    if (latestDigest === undefined) return `The log has no entry for the row ${id}: it was added without the server.`;
    if (latestDigest === noRow) return `The row ${id} exists, though the log says that it was deleted.`;
    if (latestDigest !== digest) return `The row ${id} differs from the log: it was changed without the server.`;
  }
  const gone = [...latest].find(([id, { digest }]) => digest !== noRow && !Object.hasOwn(stored, id));
  return gone ? `The row ${gone[0]} is missing, though the log has entries for it.` : null;
}
