import { Problem } from '../model/problem.ts';
import { personsOfRequester } from '../policy/directory.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';
import { openQuestion } from './sealed-question.ts';

/**
 * Refuses whom the directory of now knows as the requester. A stage keeps out who was known as that when it started;
 * somebody's names may be learnt later.
 */
export async function refuseRequester(engine: Engine, row: ElicitationRow, persons: readonly string[]): Promise<void> {
  const { directory } = await engine.rules.current();
  const { subject } = openQuestion(engine.ring, row).requester;
  const known = personsOfRequester(directory, { subject, email: null });
  if (known.some(({ id }) => persons.includes(id))) {
    throw new Problem('not-now', { detail: 'Whoever asked does not decide it.' });
  }
}
