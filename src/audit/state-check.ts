import { readEntry } from './entry.ts';
import type { Proof, RowDigests } from './evidence.ts';

/** An entry at its turn in the log, with the number by which the latest one about a row is found. */
export interface TurnedEntry extends Proof {
  seq: bigint;
}

/** What the log says of rows: the digest of each as its last entry left it. */
export type ToldRows = Map<string, { digest: string; seq: bigint }>;

/** What an entry says of a row that it deleted. */
export const noRow = '';

/**
 * Takes the next entries of the log; of their rows only those that are wanted. The first whose number says another order
 * than the log comes back as a sentence: an older one would count as the latest. Else null.
 */
export function takeEntries(
  told: ToldRows,
  entries: readonly TurnedEntry[],
  isWanted: (rowId: string) => boolean,
): string | null {
  for (const { id, body, seq } of entries) {
    for (const [row, digest] of Object.entries(readEntry(body).rows ?? {}).filter(([row]) => isWanted(row))) {
      if ((told.get(row)?.seq ?? -1n) >= seq) return `The entry ${id} about the row ${row} was given another turn.`;
      told.set(row, { digest, seq });
    }
  }
  return null;
}

/** The first row that does not follow from the log, as a sentence; null where all do. */
export function stateFault(told: ToldRows, stored: RowDigests): string | null {
  for (const [id, digest] of Object.entries(stored)) {
    const left = told.get(id)?.digest;
    if (left === undefined) return `The log does not tell of the row ${id}: it was put there past the server.`;
    if (left === noRow) return `The row ${id} is there, though the log says that it was deleted.`;
    if (left !== digest) return `The row ${id} is not as the log says: it was changed past the server.`;
  }
  const gone = [...told].find(([id, { digest }]) => digest !== noRow && !Object.hasOwn(stored, id));
  return gone ? `The log tells of the row ${gone[0]}, and it is gone.` : null;
}
