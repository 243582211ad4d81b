import { mayCast } from '../../machine/ballots.ts';
import type { UserId } from '../../model/id.ts';
import { mayVote, type Person } from '../../model/person.ts';
import type { DelegationRecord } from '../../store/people/delegations.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { covers } from './delegate.ts';
import type { Engine } from '../engine.ts';

/** Whom this person may stand in for on this request now, beside themselves. */
export async function actingFor(engine: Engine, person: Person, { policy }: ElicitationRow): Promise<UserId[]> {
  const given = await engine.delegations.inForce(person.id, engine.now());
  return [...new Set(given.filter((one) => covers(one, policy)).map(({ fromId }) => fromId))];
}

/** Would a vote by this delegation be taken now? */
export const mayStandIn = (person: Person, row: ElicitationRow, delegation: DelegationRecord): boolean =>
  row.status === 'open' &&
  row.audience === 'approvers' &&
  mayVote(person.role) &&
  covers(delegation, row.policy) &&
  mayCast(row.state.context, { by: person.id, for: delegation.fromId });
