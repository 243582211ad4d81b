import type { User } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import type { Stage } from '../../../voting/contract/quorum/stage.ts';
import { decide } from '#policies/deciding/rules/decide';
import { resolveStages } from '#policies/deciding/rules/stages';
import type { Verdict } from '#policies/document/rules/verdict';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { askedIn, factsOf, type AskedQuestion } from '../../../state/verbs/change/facts.ts';
import { termsFault } from '#policies/deciding/verbs/judge';
import type { Rules } from '#policies/deciding/verbs/rules';
import { openVerdict, type Question } from '../../../asking/verbs/question/sealed-question.ts';

/**
 * What the current policies say about a question as this person edited it; approvers who were added stay. A request
 * that needed approvers still needs them: if the policies would ask no one, the current stages stay. Problem
 * `policy-denied` or `unsatisfiable` if the policies would refuse it, `INVALID_INPUT` if the request does not meet the
 * terms of the policy that decides it now.
 */
export async function judgeAgain(
  engine: Engine,
  { book, directory }: Pick<Rules, 'book' | 'directory'>,
  row: ElicitationRow,
  edited: Question,
  editor: User,
) {
  const question = { ...askedIn(engine, row), arguments: JSON.parse(edited.arguments) as Record<string, unknown> };
  const facts = factsOf(question, directory, engine, engine.now());
  const verdict = decide(book, facts);
  if (verdict.outcome === 'deny')
    throw new Problem('policy-denied', verdict.reason === null ? {} : { detail: verdict.reason });
  const storedVerdict = openVerdict(engine.ring, row) as Partial<Verdict> | null;
  const isAsking = verdict.stages.length > 0;
  if (isAsking) assertMet(verdict, question, row.deadlineAt);
  const { policy, risk } = isAsking ? verdict : row;
  const plans = isAsking ? verdict.stages : storedVerdict?.stages;
  if (!plans) return { policy, risk, stages: stagesWithoutAdded(row), verdict: storedVerdict };
  const editors = [...(await engine.reader.editors(row.id)), editor.id];
  const resolution = resolveStages(plans, directory, facts, { editors });
  if (!resolution.ok) throw new Problem('unsatisfiable', { detail: resolution.reason });
  return { policy, risk, stages: resolution.stages, verdict: isAsking ? verdict : storedVerdict };
}

function assertMet(verdict: Verdict, question: AskedQuestion, deadlineAt: number): void {
  const fault = termsFault(verdict, question, deadlineAt);
  if (!fault) return;
  const message = `Change the edit: ${verdict.policy} would then decide this request and refuses its ${fault.path.join('.')}. ${fault.message}`;
  throw invalidInput(['arguments'], message);
}

const stagesWithoutAdded = ({ state }: ElicitationRow): Stage[] =>
  state.context.stages.filter(({ added }) => added === undefined);
