import { personsOf } from '../model/quorum.ts';
import type { Stage } from '../model/stage.ts';
import { resolveStages } from '../policy/resolve-stages.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';
import { askedIn, factsOf } from './facts.ts';
import { openVerdict } from './sealed-question.ts';

/**
 * The stage after the current one, with the persons it has if it starts now; undefined where there is none.
 * The policy is the one that the elicitation pins, the people are those of now.
 */
export async function nextStage(engine: Engine, row: ElicitationRow): Promise<Stage | undefined> {
  const { stages, stage, votes } = row.state.context;
  const next = stages[stage + 1];
  const planned = stages.slice(0, stage + 1).filter(({ added }) => added === undefined).length;
  const plan = (openVerdict(engine.ring, row) as Partial<Verdict> | null)?.stages?.[planned];
  if (!next || next.added !== undefined || !plan) return next;
  const { directory } = await engine.rules.current();
  const facts = factsOf(askedIn(engine, row), directory, engine.environment, engine.now());
  const editors = plan.separation.editor ? await engine.reader.editors(row.id) : [];
  const [found] = resolveStages([plan], directory, facts, { voters: votes.flatMap(personsOf), editors }).stages;
  return found ?? next;
}
