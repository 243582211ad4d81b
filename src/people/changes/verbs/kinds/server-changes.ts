import type { ServerId, SpaceId, StopId, UserId } from '#platform/model/id';
import type { User } from '../../../directory/contract/user.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { findLiftable, liftStop } from '#requests/stops/verbs/lift-stop';
import { setOwner } from '../../../groups/verbs/change-group.ts';
import { serverIn } from '../../../directory/verbs/directory/in-directory.ts';
import { changeKeyNetworks, narrowing, type KeyNetworks } from '#access/keys/verbs/keys';
import { addServerKey, type NewServerKey, type Rotation } from '#access/keys/verbs/keys';
import { changeKind } from './change-kind.ts';
import { namedOrNone, ofSpace, formatUser, type NamedUser } from './named.ts';

export interface OwnerChange {
  id: ServerId;
  owner: UserId | null;
}

/** Another owner of an MCP server. */
export const settingOwner = changeKind({
  title: 'Change the owner of an MCP server',
  async act(engine, by, { id, owner }: OwnerChange) {
    return { alone: await setOwner(engine, by, id, owner) };
  },
  facts(directory, { id, owner }) {
    const { name, ownerId } = serverIn(directory, id);
    return { server: { id, name }, from: namedOrNone(directory, ownerId), to: namedOrNone(directory, owner) };
  },
  changeIn: ({ server, to }) => ({ id: server.id, owner: to?.id ?? null }),
  say: ({ server, from, to }) => `The owner of ${server.name}: from ${formatUser(from)} to ${formatUser(to)}.`,
});

/** A key with which an MCP server asks. Who asked for it has seen it; it opens nothing before. */
export const creatingKey = changeKind({
  title: 'Create a key for an MCP server',
  act: addServerKey,
  facts(directory, { server, kid, hash, expiresAt, tools, networks, replaces }: NewServerKey): KeyFacts {
    const stored = directory.servers.find(({ name }) => name === server);
    const expires = expiresAt === null ? null : new Date(expiresAt).toISOString();
    return {
      server,
      owner: namedOrNone(directory, stored?.ownerId),
      key: { kid, hash, expires, tools, ...(networks.length > 0 && { networks }) },
      ...(replaces && { replaces }),
      ...ofSpace(directory, stored?.spaceId),
    };
  },
  changeIn: ({ server, key: { expires, networks = [], ...key }, replaces }) => ({
    ...key,
    networks,
    replaces,
    server,
    expiresAt: expires === null ? null : Date.parse(expires),
  }),
  say: ({ server, owner, key, replaces }) =>
    [
      `Create the key ${key.kid} for ${server}, whose owner is ${formatUser(owner)}. ${formatTerms(key)}`,
      ...(replaces ? [formatRotation(replaces)] : []),
    ].join(' '),
});

/** Where an existing key works. */
export const changingKey = changeKind({
  title: 'Change the networks of a key',
  act: changeKeyNetworks,
  facts(directory, { kid, server, from, to }: KeyNetworks) {
    const stored = directory.servers.find(({ name }) => name === server);
    return {
      server,
      owner: namedOrNone(directory, stored?.ownerId),
      kid,
      from,
      to,
      ...ofSpace(directory, stored?.spaceId),
    };
  },
  changeIn: ({ server, kid, from, to }) => ({ server, kid, from, to }),
  say: ({ server, kid, from, to }) =>
    `The key ${kid} for ${server}: from ${formatNetworks(from)} to ${formatNetworks(to)}.`,
  split(_directory, change) {
    const taking = narrowing(change);
    return { taking, giving: { ...change, from: taking?.to ?? change.from } };
  },
});

const formatNetworks = (networks: readonly string[]): string => networks.join(', ') || 'anywhere';

/** What is absent was not asked for. */
interface KeyFacts {
  server: string;
  owner: NamedUser | null;
  key: { kid: string; hash: string; expires: string | null; tools: readonly string[]; networks?: readonly string[] };
  replaces?: Rotation;
  space?: { id: SpaceId; name: string };
}

function formatTerms({ expires, tools, networks }: KeyFacts['key']): string {
  const scope = tools.includes('*') ? 'every tool' : `the tools ${tools.join(', ')}`;
  const from = networks ? `, works only from ${networks.join(', ')}` : '';
  return `It is for ${scope}${from} and ${expires === null ? 'does not expire' : `expires at ${expires}`}.`;
}

const formatRotation = ({ kid, overlapMs }: Rotation): string =>
  `It replaces the key ${kid}, which ends ${overlapMs / 3_600_000} hours after this is accepted, unless it ends before.`;

export interface StopFacts {
  stop: StopId;
  server: string | null;
  tool: string | null;
  reason: string;
  by: NamedUser | null;
  space?: { id: SpaceId; name: string };
}

/** The end of a stop. */
export const liftingStop = changeKind({
  title: 'Lift a stop',
  act: (engine, by, { stop }: Wanted) => liftStop(engine, by, stop),
  facts: (directory, { stoppedBy, ...stop }): StopFacts => ({
    ...stop,
    by: namedOrNone(directory, stoppedBy),
    ...ofSpace(directory, directory.servers.find(({ name }) => name === stop.server)?.spaceId),
  }),
  changeIn: ({ by, space: _space, ...stop }) => ({ ...stop, stoppedBy: by?.id ?? null }),
  say: ({ server, tool, reason }) =>
    `Let ${[tool ?? 'everything', server && `of ${server}`].filter(Boolean).join(' ')} run again. It was stopped because: ${reason}`,
});

type Wanted = Omit<StopFacts, 'by' | 'space'> & { stoppedBy: UserId | null };

/** What lifting this stop would be. */
export async function liftOf(engine: Engine, by: User, id: StopId): Promise<Wanted> {
  const { stop } = await findLiftable(engine, by, id);
  const { serverName: server, tool, reason, stoppedBy } = stop;
  return { stop: id, server, tool, reason, stoppedBy };
}
