import type { KeyRing } from '#platform/crypto/key-ring';
import type { UserId } from '#platform/model/id';
import { formatClause } from '#messages/english-clauses';
import type { Verdict } from '../../../document/rules/verdict/verdict.ts';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openVerdict } from '#requests/asking/verbs/question/sealed-question';

/** Why the policies decided so, from what was sealed with the request, and who may still decide. */
export async function explainPolicy(engine: Engine, row: ElicitationRow) {
  const { names } = await engine.rules.users();
  const { explanation, grant = null } = verdictOf(engine.ring, row);
  const { terms = [], considered = [], passedOver = [] } = explanation ?? {};
  const named = (ids: string[]) => ids.map((id) => ({ id: id as UserId, name: names.get(id) ?? '' }));
  return {
    name: row.policy,
    basis: basisOf(engine.ring, row),
    terms,
    considered,
    passedOver,
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

/** What allows the request, or may: its policy's own terms, a standing approval, or an emergency override. */
type Basis = 'terms' | 'grant' | 'break-glass';

function basisOf(ring: KeyRing, row: ElicitationRow): Basis {
  const { votes, breakGlassBy } = row.state.context;
  if (breakGlassBy !== null) return 'break-glass';
  const isByItself = row.status === 'accepted' && row.audience === 'approvers' && votes.length === 0;
  return isByItself && verdictOf(ring, row).outcome === 'require' ? 'grant' : 'terms';
}

/** What the policy requires first, in a sentence for servers and agents; or what allowed it instead. */
export function formatWhy(ring: KeyRing, row: ElicitationRow): string {
  const basis = basisOf(ring, row);
  if (basis === 'break-glass') return 'It was approved by emergency override.';
  if (basis === 'grant') return 'A standing approval allows it.';
  const [term] = verdictOf(ring, row).explanation?.terms ?? [];
  return term ? formatClause(term) : '';
}

const verdictOf = (ring: KeyRing, row: ElicitationRow): Partial<Verdict> =>
  (openVerdict(ring, row) as Partial<Verdict> | null) ?? {};
