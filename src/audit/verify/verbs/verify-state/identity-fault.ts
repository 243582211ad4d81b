import { readEntry, type StoredEvent } from '../../../entries/rules/entry/entry.ts';
import type { KeyRing } from '#platform/crypto/key-ring/key-ring';
import { nameAt } from '#platform/model/identity';
import type { LinkedIdentity } from '#people/accounts/store';
import { hashesOfName } from '../../../entries/verbs/access-watch.ts';

/**
 * The first identity that lets someone sign in as a person who does not have it as a name, or that counts for another
 * administrator than the log says, as a sentence. The log covers the names with the row of the person.
 */
export function identityFault(
  ring: KeyRing,
  identities: readonly LinkedIdentity[],
  connecting: readonly Uint8Array[],
): string | null {
  const connections = byPerson(connecting.map(readEntry).filter((event) => event.type === 'user.provider-connected'));
  for (const identity of identities) {
    const which = `The identity of ${identity.userId} at ${identity.issuer}`;
    if (!identity.subjects.includes(nameAt(identity)))
      return `${which} is none of their names in the log: it was added without the server.`;
    const own = connections.get(identity.userId) ?? [];
    if ((connectionOf(ring, identity, own)?.countsFor ?? null) !== identity.linkedById)
      return `${which} counts for another administrator than the log says: it was changed without the server.`;
  }
  return null;
}

type Connection = Extract<StoredEvent, { type: 'user.provider-connected' }>;

function byPerson(connections: readonly Connection[]): ReadonlyMap<string, Connection[]> {
  const people = new Map<string, Connection[]>();
  for (const connection of connections)
    people.set(connection.user, [...(people.get(connection.user) ?? []), connection]);
  return people;
}

/** The last entry that connected it; of one from before a secret that is gone, the last about this person and provider. */
function connectionOf(
  ring: KeyRing,
  identity: LinkedIdentity,
  ofPerson: readonly Connection[],
): Connection | undefined {
  const own = ofPerson.filter(({ provider }) => provider === identity.issuer);
  if (own.length === 0) return undefined;
  const hashes = hashesOfName(ring, 'identity', nameAt(identity));
  return own.findLast((event) => hashes.includes(event.identity)) ?? own.at(-1);
}
