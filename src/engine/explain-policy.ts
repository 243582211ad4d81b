import type { UserId } from '../model/id.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { Engine } from './engine.ts';
import { openVerdict } from './sealed-question.ts';

/** Why this request is decided as it is, from what was sealed with it, and who may still decide. */
export async function explainPolicy(engine: Engine, row: ElicitationRow) {
  const { names } = await engine.rules.people();
  const { explanation, grant = null } = (openVerdict(engine.ring, row) as Partial<Verdict> | null) ?? {};
  const { sentences = [], considered = [] } = explanation ?? {};
  const named = (ids: string[]) => ids.map((id) => ({ id: id as UserId, name: names.get(id) ?? '' }));
  return {
    name: row.policy,
    sentence: sentences[0] ?? '',
    sentences,
    considered,
    grant,
    stages: row.state.context.stages.map(({ name, groups, excluded }) => ({
      name,
      groups: groups.map(({ approvers, meaning: _said, ...group }) => {
        return { ...group, persons: approvers === 'anyone' ? null : named(approvers) };
      }),
      excluded: named(excluded),
    })),
  };
}
