import type { Risk } from '../../model/elicitation.ts';
import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { Stage } from '../../model/stage.ts';
import { decide } from '../../policy/deciding/decide.ts';
import { resolveStages } from '../../policy/stages/resolve-stages.ts';
import type { Verdict } from '../../policy/terms/verdict.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { askedIn, factsOf, type AskedQuestion } from '../elicitation/facts.ts';
import { termsFault } from '../judging/refuse-terms.ts';
import type { Rules } from '../rules.ts';
import { openVerdict, type Question } from '../elicitation/sealed-question.ts';

interface Rejudged {
  policy: string;
  risk: Risk;
  stages: Stage[];
  /** To be sealed with the revision. */
  verdict: unknown;
}

/**
 * What the policies of now say of a question as this person edited it; whom approvers added is kept without being
 * named. What needed approvers goes on needing them: where the policies would ask no one, those that hold it go on.
 * Problem `policy-denied` or `unsatisfiable` where they would not let it through, `INVALID_INPUT` where the request
 * does not meet the terms of the policy that decides it now.
 */
export async function judgeAgain(
  engine: Engine,
  { book, directory }: Pick<Rules, 'book' | 'directory'>,
  row: ElicitationRow,
  edited: Question,
  editor: User,
): Promise<Rejudged> {
  const asked = { ...askedIn(engine, row), arguments: JSON.parse(edited.arguments) as Record<string, unknown> };
  const facts = factsOf(asked, directory, engine, engine.now());
  const verdict = decide(book, facts);
  if (verdict.outcome === 'deny')
    throw new Problem('policy-denied', verdict.reason === null ? {} : { detail: verdict.reason });
  const held = openVerdict(engine.ring, row) as Partial<Verdict> | null;
  const isAsking = verdict.stages.length > 0;
  if (isAsking) refuseUnmet(verdict, asked, row.deadlineAt);
  const { policy, risk } = isAsking ? verdict : row;
  const plans = isAsking ? verdict.stages : held?.stages;
  if (!plans) return { policy, risk, stages: stagesWithoutAdded(row), verdict: held };
  const editors = [...(await engine.reader.editors(row.id)), editor.id];
  const found = resolveStages(plans, directory, facts, { editors });
  if (!found.ok) throw new Problem('unsatisfiable', { detail: found.reason });
  return { policy, risk, stages: found.stages, verdict: isAsking ? verdict : held };
}

function refuseUnmet(verdict: Verdict, asked: AskedQuestion, deadlineAt: number): void {
  const fault = termsFault(verdict, asked, deadlineAt);
  if (!fault) return;
  const message = `Edited so, ${verdict.policy} decides it, and does not take its ${fault.path.join('.')}: ${fault.message}`;
  throw new Problem('INVALID_INPUT', { errors: [{ path: ['arguments'], message }] });
}

const stagesWithoutAdded = ({ state }: ElicitationRow): Stage[] =>
  state.context.stages.filter(({ added }) => added === undefined);
