import type { Stage } from '../model/stage.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';

/** The stage after the current one, with the persons it has if it starts now; undefined where there is none. */
export async function nextStage(_engine: Engine, { state }: ElicitationRow): Promise<Stage | undefined> {
  const { stages, stage } = state.context;
  return stages[stage + 1];
}
