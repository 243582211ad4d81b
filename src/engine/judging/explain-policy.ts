import type { KeyRing } from '../../crypto/key-ring.ts';
import type { UserId } from '../../model/id.ts';
import type { Verdict } from '../../policy/terms/verdict.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { openVerdict } from '../elicitation/sealed-question.ts';

/** Why this request is decided as it is, from what was sealed with it, and who may still decide. */
export async function explainPolicy(engine: Engine, row: ElicitationRow) {
  const { names } = await engine.rules.users();
  const { explanation, grant = null } = verdictOf(engine.ring, row);
  const { sentences = [], considered = [] } = explanation ?? {};
  const named = (ids: string[]) => ids.map((id) => ({ id: id as UserId, name: names.get(id) ?? '' }));
  return {
    name: row.policy,
    sentence: sayWhy(engine.ring, row),
    sentences,
    considered,
    grant,
    stages: row.state.context.stages.map(({ name, groups, excluded }) => ({
      name,
      groups: groups.map(({ approvers, meaning: _said, ...group }) => {
        return { ...group, users: approvers === 'anyone' ? null : named(approvers) };
      }),
      excluded: named(excluded),
    })),
  };
}

/** What the policy asks first, in a sentence; where its people did not answer, what allowed it instead. */
export function sayWhy(ring: KeyRing, row: ElicitationRow): string {
  const { outcome, explanation } = verdictOf(ring, row);
  const { votes, breakGlassBy } = row.state.context;
  if (breakGlassBy !== null) return 'It was approved past the policy.';
  const isByItself = row.status === 'accepted' && votes.length === 0;
  if (outcome === 'require' && isByItself) return 'A standing approval allows it.';
  return explanation?.sentences[0] ?? '';
}

const verdictOf = (ring: KeyRing, row: ElicitationRow): Partial<Verdict> =>
  (openVerdict(ring, row) as Partial<Verdict> | null) ?? {};
