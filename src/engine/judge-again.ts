import type { Risk } from '../model/elicitation.ts';
import type { Person } from '../model/person.ts';
import type { Stage } from '../model/stage.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';
import { openVerdict, type Question } from './sealed-question.ts';

export interface Judgement {
  policy: string;
  risk: Risk;
  stages: Stage[];
  /** To be sealed with the revision; null where only the built-in policy spoke. */
  verdict: unknown;
}

/** What the policies say of a question as this person edited it. Whom approvers added is kept without being named. */
export async function judgeAgain(
  { ring }: Engine,
  row: ElicitationRow,
  _edited: Question,
  _editor: Person,
): Promise<Judgement> {
  const stages = row.state.context.stages.filter(({ added }) => added === undefined);
  return { policy: row.policy, risk: row.risk, stages, verdict: openVerdict(ring, row) };
}
