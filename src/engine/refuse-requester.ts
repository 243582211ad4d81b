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
  const { subject } = openQuestion(engine.ring, row).requester;
  if (await isRequester(engine, subject, persons)) {
    throw new Problem('not-now', { detail: 'Whoever asked does not decide it.' });
  }
}

/** Is one of these persons known by this subject now? */
export async function isRequester(
  { rules }: Pick<Engine, 'rules'>,
  subject: string,
  persons: readonly string[],
): Promise<boolean> {
  const { directory } = await rules.people();
  return personsOfRequester(directory, { subject, email: null }).some(({ id }) => persons.includes(id));
}
