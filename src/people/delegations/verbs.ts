import type { z } from 'zod';
import { may } from '../directory/contract/permission.ts';
import { auditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import type { DelegationId, UserId } from '#platform/model/id';
import { isTrial, nameInPin } from '#policies/contract/policy';
import type { SignedInUser, User } from '../directory/contract/user.ts';
import { formatUnknown } from '#platform/text/nearest-name';
import { invalidInput, Problem } from '#platform/model/problem';
import { builtInName } from '#policies/document/rules/verdict';
import type { DelegationRecord } from './store.ts';
import { type Users } from '#policies/deciding/verbs/rules';
import { maySeeSpace } from '../directory/verbs/may.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { guardStrongSignIn } from '#access/sign-in/verbs/sessions';
import { mayCast } from '#requests/machine/rules/machine';
import { ownServer } from '#platform/model/names';
import type { StandIn } from '#requests/inbox/store/inbox';
import type { ElicitationRow } from '#requests/state/store/row';
import type { NewDelegation } from './contract.ts';

/** Milliseconds a delegation lasts at most: one year. */
const maxDelegationMs = 366 * 86_400_000;

/**
 * Lets another person vote for the signed-in person for a time. Only one's own vote can be delegated: a delegate votes
 * for the giver alone, never for those who delegated to the giver. Such votes count for who issued the giver's credential as well.
 * Outside of a trial it takes a sign-in of late by every factor: else a stolen session would let an ally sign in their seat.
 */
export async function delegate(
  engine: Engine,
  user: User & Partial<SignedInUser>,
  request: z.output<typeof NewDelegation>,
) {
  if (!may(user, 'decide')) throw new Problem('forbidden', { refusal: { code: 'no-votes-to-delegate' } });
  const now = engine.now();
  const also = isTrial(engine.environment) ? undefined : guardStrongSignIn(user, now);
  const { toId, endsAt, startsAt = now, policies = [], note = '' } = request;
  assertTimes(now, startsAt, endsAt);
  await assertReceiver(engine, user, toId);
  await assertKnownPolicies(engine, user, policies);
  const id = newId('delegation');
  const times = { startsAt, endsAt, createdAt: now, revokedAt: null };
  const issuerId = user.credentialIssuer ?? null;
  const record = { id, fromId: user.id, toId, ...times, policies: [...new Set(policies)].sort(), note, issuerId };
  const counting = issuerId && { countsFor: issuerId };
  const fields = { delegation: id, from: user.id, to: toId, startsAt, endsAt, policies: record.policies, ...counting };
  const actor = { kind: 'user', id: user.id } as const;
  const entry = auditEntry(newId('entry'), now, actor, { type: 'delegation.made', ...fields });
  await engine.delegations.add(record, entry, also);
  return nameDelegation(engine, record);
}

/** Ends it at once, by the giver, the receiver or an administrator. For others it does not exist. */
export async function revokeDelegation(engine: Engine, user: User, id: DelegationId) {
  const record = await engine.delegations.find(id);
  const isTheirs = record && [record.fromId, record.toId].includes(user.id);
  if (!record || (!isTheirs && !may(user, 'tend-requests'))) throw new Problem('not-found');
  const at = engine.now();
  const event = { type: 'delegation.revoked', delegation: id, from: record.fromId, to: record.toId } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  await engine.delegations.revoke(record, at, entry);
  return nameDelegation(engine, (await engine.delegations.find(id)) ?? record);
}

/** The delegations a person gave and received; an administrator sees all. */
export async function listDelegations(engine: Engine, user: User) {
  const delegations = await engine.delegations.list(may(user, 'tend-requests') ? null : user.id);
  return withNames(engine, delegations);
}

/** Does this delegation reach elicitations under this policy (`name@version`)? */
export const covers = ({ policies }: Pick<DelegationRecord, 'policies'>, policy: string): boolean =>
  policies.length === 0 || policies.includes(nameInPin(policy));

function assertTimes(now: number, startsAt: number, endsAt: number): void {
  if (endsAt <= Math.max(now, startsAt))
    throw invalidInput(['endsAt'], 'Choose an end in the future and after the start.');
  if (endsAt - Math.min(now, startsAt) > maxDelegationMs)
    throw invalidInput(['endsAt'], 'Choose an earlier end: a delegation lasts one year at most.');
}

async function assertReceiver({ users }: Engine, user: User, toId: UserId): Promise<void> {
  const wrong = (message: string) => invalidInput(['toId'], message);
  if (toId === user.id) throw wrong('Choose someone else.');
  const receiver = await users.byId(toId);
  if (!receiver) throw wrong('Choose an existing person who can sign in.');
  if (!may(receiver, 'decide')) throw wrong(`Choose someone else: ${receiver.name} has a role that cannot vote.`);
}

/** An unknown policy name would silently delegate nothing. Suggested is what the person sees. */
async function assertKnownPolicies({ policies, directory }: Engine, user: User, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const [stored, record] = await Promise.all([policies.names(), directory.read()]);
  const existing = new Set([builtInName, ...stored.map(({ name }) => name)]);
  const visible = stored.filter(({ spaceId }) => maySeeSpace(record, user, spaceId)).map(({ name }) => name);
  const errors = names.flatMap((name, at) =>
    existing.has(name)
      ? []
      : [{ path: ['policies', at], message: formatUnknown('policy', name, [builtInName, ...visible]) }],
  );
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}

async function nameDelegation(engine: Engine, record: DelegationRecord) {
  const [named] = await withNames(engine, [record]);
  if (!named) throw new Problem('not-found');
  return named;
}

/** Each with people's names, including disabled people. */
async function withNames({ directory }: Engine, records: DelegationRecord[]) {
  const { users } = await directory.read();
  const named = (id: UserId) => ({ id, name: users.find((user) => user.id === id)?.name ?? '' });
  return records.map(({ fromId, toId, issuerId: _issuer, ...rest }) => ({
    ...rest,
    from: named(fromId),
    to: named(toId),
  }));
}

/** People for whom this person may vote on this request now, apart from themselves. No one lets another decide who may decide. */
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

/** Of several delegations by one person, prefers the one that counts for no one else. */
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
