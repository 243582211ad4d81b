import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { kidOfBox } from '#platform/crypto/key-ring/ring-box';
import { Problem } from '#platform/model/problem/problem';
import type { ElicitationRow } from '#requests/state/store/row/row';
import { openQuestion } from '#requests/asking/verbs/question/sealed-question';

/**
 * The first of these requests whose content does not open, as a sentence; null if all do. The owner and the data key
 * are sealed for their place and change with the secrets, so no entry covers them. Rows sealed under an unknown secret
 * are skipped. The content that an entry calls erased has no key.
 */
export function contentFault(ring: KeyRing, requests: ElicitationRow[], erased: ReadonlySet<string>): string | null {
  const back = requests.find(({ id, dataKey }) => dataKey && erased.has(id));
  if (back) return `The content of the row ${back.id} is back, though the log says that it was erased.`;
  const closed = requests.find((row) => !erased.has(row.id) && isKnown(ring, row) && !opens(ring, row));
  return closed ? `The content of the row ${closed.id} does not open: it was changed without the server.` : null;
}

const isKnown = (ring: KeyRing, { dataKey }: ElicitationRow): boolean => {
  const kid = dataKey && ignoring(() => kidOfBox(dataKey));
  return kid === null || ring.kids.includes(kid);
};

const opens = (ring: KeyRing, row: ElicitationRow): boolean => ignoring(() => openQuestion(ring, row)) !== null;

function ignoring<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
