import { usersOfRequester, type Asker, type Directory } from '../../policy/terms/directory.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { openQuestion } from './sealed-question.ts';

/**
 * Ids of the people whom the current directory knows as the requester, and of the maker of the key. A stage excludes
 * those who were known when it started; other names may become known later.
 */
export function requestersOf(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  { directory }: { directory: Directory },
): ReadonlySet<string> {
  const { requester, keyMaker } = openQuestion(ring, row);
  const names = usersKnownAs(directory, requester);
  return keyMaker === undefined ? names : new Set([...names, keyMaker]);
}

/** Ids of everyone who is or may be this requester. */
export const usersKnownAs = (directory: Directory, requester: Asker): ReadonlySet<string> =>
  new Set(usersOfRequester(directory, requester).map(({ id }) => id));
