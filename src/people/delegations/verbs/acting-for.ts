import { may } from '../../directory/contract/permission.ts';
import { mayCast } from '#requests/machine/rules/machine/ballots';
import type { UserId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import type { User } from '../../directory/contract/user.ts';
import type { StandIn } from '#requests/inbox/store/inbox/viewer';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { DelegationRecord } from '../store.ts';
import { covers } from './delegate.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { Users } from '#policies/deciding/verbs/rules/rules';

/**
 * Those for whom this person may vote on this request now, apart from themselves. No one lets another decide who may decide.
 */
export async function actingFor(
  engine: Engine,
  user: User,
  { policy, serverId }: Pick<ElicitationRow, 'policy' | 'serverId'>,
): Promise<StandIn[]> {
  if (serverId === ownServer.id) return [];
  const delegations = await engine.delegations.inForce(user.id, engine.now());
  return usableBy(
    user,
    delegations.filter((delegation) => covers(delegation, policy)),
  );
}

/** For whom this person may vote now, from memory: those who let them, and may still vote themselves. */
export const standInsOf = ({ delegations, voters }: Users, user: User, now: number): StandIn[] =>
  usableBy(
    user,
    (delegations.get(user.id) ?? []).filter(
      ({ fromId, startsAt, endsAt }) => startsAt <= now && now < endsAt && voters.has(fromId),
    ),
  );

/** A vote counts for one issuer of a credential besides its people: of a voter and a giver with different ones none is taken. */
const usableBy = ({ id, credentialIssuer = id }: User, delegations: DelegationRecord[]): DelegationRecord[] =>
  delegations.filter(
    ({ issuerId }) => !issuerId || [id, credentialIssuer].includes(issuerId) || credentialIssuer === id,
  );

/** The voter as their vote for someone counts: also for who issued the credential with which they were let. */
export const votingFor = (user: User, { issuerId }: Pick<StandIn, 'issuerId'>): User =>
  issuerId && issuerId !== user.id ? { ...user, credentialIssuer: issuerId } : user;

/** Of those who let this person more than once, the way that counts for no one else. */
export const standInFor = (standIns: readonly StandIn[], absent: UserId): StandIn | undefined => {
  const all = standIns.filter(({ fromId }) => fromId === absent);
  return all.find(({ issuerId }) => issuerId === null) ?? all[0];
};

/** May this person vote on it now for someone who lets them? */
export const mayStandIn = (user: User, row: ElicitationRow, standIn: StandIn): boolean =>
  row.status === 'open' &&
  row.serverId !== ownServer.id &&
  row.audience === 'approvers' &&
  may(user, 'decide') &&
  covers(standIn, row.policy) &&
  mayCast(row.state.context, {
    by: user.id,
    for: standIn.fromId,
    issuer: votingFor(user, standIn).credentialIssuer,
  });
