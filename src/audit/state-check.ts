import { readEntry } from './entry.ts';
import type { Proof, RowDigests } from './evidence.ts';

/** What the log says of rows: the digest of each as its last entry left it. */
export type ToldRows = Map<string, string>;

/** What an entry says of a row that it deleted. */
export const noRow = '';

/** Takes the next entries of the log; of their rows only those that are wanted. */
export function takeEntries(told: ToldRows, entries: readonly Proof[], isWanted: (rowId: string) => boolean): void {
  for (const { body } of entries) {
    for (const [id, digest] of Object.entries(readEntry(body).rows ?? {})) if (isWanted(id)) told.set(id, digest);
  }
}

/** The first row that does not follow from the log, as a sentence; null where all do. */
export function stateFault(told: ToldRows, stored: RowDigests): string | null {
  for (const [id, digest] of Object.entries(stored)) {
    const left = told.get(id);
    if (left === undefined) return `The log does not tell of the row ${id}: it was put there past the server.`;
    if (left === noRow) return `The row ${id} is there, though the log says that it was deleted.`;
    if (left !== digest) return `The row ${id} is not as the log says: it was changed past the server.`;
  }
  const gone = [...told].find(([id, digest]) => digest !== noRow && !Object.hasOwn(stored, id));
  return gone ? `The log tells of the row ${gone[0]}, and it is gone.` : null;
}
