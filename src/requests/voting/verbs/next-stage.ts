import { usersOf, type Ballot } from '../contract/quorum/quorum.ts';
import type { Stage } from '../contract/quorum/stage.ts';
import { freezeStage, openWindows } from '#policies/deciding/rules/stages';
import { resolveStages, type Resolution } from '#policies/deciding/rules/stages';
import type { StagePlan, Verdict } from '#policies/document/rules/verdict';
import type { ElicitationRow } from '../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { askedIn, factsOf } from '../../state/verbs/change/facts.ts';
import { policyTerms } from '../../state/verbs/permissions/policy-terms.ts';
import type { Users } from '#policies/deciding/verbs/rules';
import { openVerdict } from '../../asking/verbs/question/sealed-question.ts';

/**
 * The stage after the current one, which these votes complete, with its current persons; undefined if there is none.
 * The policy is the one pinned by the elicitation; the people are the current ones. After the last stage comes one for
 * each freeze that has begun since the opening.
 */
export async function nextStage(
  engine: Engine,
  users: Pick<Users, 'directory'>,
  row: ElicitationRow,
  votes: readonly Ballot[],
  now: number,
): Promise<Stage | undefined> {
  const { stages, stage } = row.state.context;
  const next = stages[stage + 1];
  if (next?.added !== undefined) return next;
  const plan = next ? plansAfter(engine, row)[0] : newFreeze(engine, row, now);
  const voters = votes.flatMap(usersOf);
  return plan ? ((await resolveNow(engine, users, row, [plan], voters, now)).stages[0] ?? next) : next;
}

/** What the pinned policy says about the stages after the current one. */
export function plansAfter(engine: Engine, row: ElicitationRow): StagePlan[] {
  const { stages, stage } = row.state.context;
  const planned = stages.slice(0, stage + 1).filter(({ added }) => added === undefined).length;
  return (openVerdict(engine.ring, row) as Partial<Verdict> | null)?.stages?.slice(planned) ?? [];
}

/** The approved call would start within a freeze that has no stage. */
function newFreeze(engine: Engine, row: ElicitationRow, now: number): StagePlan | undefined {
  const { stages, notBefore } = row.state.context;
  return openWindows(policyTerms(engine, row).freeze, Math.max(now, notBefore ?? 0))
    .map(freezeStage)
    .find(({ name }) => !stages.some((stage) => stage.name === name));
}

/** These stages with their current persons, after these people have voted. */
export async function resolveNow(
  engine: Engine,
  { directory }: Pick<Users, 'directory'>,
  row: ElicitationRow,
  plans: StagePlan[],
  voters: string[],
  now: number,
): Promise<Resolution> {
  const facts = factsOf(askedIn(engine, row), directory, engine, now);
  const isEditor = plans.some(({ separation }) => separation.editor);
  const editors = isEditor ? await engine.reader.editors(row.id) : [];
  return resolveStages(plans, directory, facts, { voters, editors });
}
