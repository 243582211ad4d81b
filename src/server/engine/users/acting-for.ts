import { may } from '#protocol/model/permission';
import { mayCast } from '#core/machine/ballots';
import type { UserId } from '#protocol/model/id';
import { ownServer } from '#protocol/model/names';
import type { User } from '#protocol/model/user';
import type { StandIn } from '../../store/inbox/viewer.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { covers } from './delegate.ts';
import type { Engine } from '../engine.ts';
import type { Users } from '../rules.ts';

/**
 * Whom this person may vote for on this request now, apart from themselves. No one lets another decide who may decide.
 */
export async function actingFor(
  engine: Engine,
  user: User,
  { policy, serverId }: Pick<ElicitationRow, 'policy' | 'serverId'>,
): Promise<UserId[]> {
  if (serverId === ownServer.id) return [];
  const delegations = await engine.delegations.inForce(user.id, engine.now());
  return [...new Set(delegations.filter((delegation) => covers(delegation, policy)).map(({ fromId }) => fromId))];
}

/** For whom this person may vote now, from memory: those who let them, and may still vote themselves. */
export const standInsOf = ({ delegations, voters }: Users, user: UserId, now: number): StandIn[] =>
  (delegations.get(user) ?? []).filter(
    ({ fromId, startsAt, endsAt }) => startsAt <= now && now < endsAt && voters.has(fromId),
  );

/** May this person vote on it now for someone who lets them? */
export const mayStandIn = (user: User, row: ElicitationRow, standIn: StandIn): boolean =>
  row.status === 'open' &&
  row.serverId !== ownServer.id &&
  row.audience === 'approvers' &&
  may(user, 'decide') &&
  covers(standIn, row.policy) &&
  mayCast(row.state.context, { by: user.id, for: standIn.fromId, issuer: user.credentialIssuer });
