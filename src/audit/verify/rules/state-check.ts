import { readEntry } from '../../entries/rules/entry/entry.ts';
import type { Proof, RowDigests } from '../../entries/rules/evidence/evidence.ts';

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
