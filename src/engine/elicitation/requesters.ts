import { usersOfRequester, type Asker, type Directory } from '../../policy/terms/directory.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { openQuestion } from './sealed-question.ts';

/**
 * Ids of those whom the directory of now knows as who asked, and of who made the key that asked. A stage keeps out who
 * was known as that when it started; someone's names may be learnt later.
 */
export function requestersOf(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  { directory }: { directory: Directory },
): ReadonlySet<string> {
  const { requester, keyMaker } = openQuestion(ring, row);
  const known = usersKnownAs(directory, requester);
  return keyMaker === undefined ? known : new Set([...known, keyMaker]);
}

/** Ids of everyone who is or may be this requester. */
export const usersKnownAs = (directory: Directory, requester: Asker): ReadonlySet<string> =>
  new Set(usersOfRequester(directory, requester).map(({ id }) => id));
