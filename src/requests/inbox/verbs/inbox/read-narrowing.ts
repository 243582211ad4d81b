import { principalHashes } from '#platform/crypto/key-ring';
import type { KeyRing } from '#platform/crypto/key-ring';
import { foldSubject, identityKey, readIdentity, type Identity } from '#platform/model/identity';
import type { PublishedPolicy } from '#policies/deciding/rules/book';
import type { Rule } from '#policies/document/rules/document';
import type { DirectoryRecord } from '#people/directory/store/directory-record';

type People = Pick<DirectoryRecord, 'users' | 'servers'>;

/**
 * The hashes under which requests of this requester are stored at any server. A subject without an issuer also means
 * that subject at each issuer the directory names for it.
 */
export function hashesOfRequester(ring: KeyRing, text: string, { users, servers }: People): Buffer[] {
  const sought = readIdentity(text.trim());
  const named = users.flatMap(({ subjects }) => subjects.map(readIdentity)).filter((other) => isMeant(sought, other));
  const identities = new Map([sought, ...named].map((identity) => [identityKey(identity), identity]));
  return servers.flatMap(({ id }) =>
    [...identities.values()].flatMap((identity) => principalHashes(ring, id, identity)),
  );
}

const isMeant = (sought: Identity, other: Identity): boolean =>
  sought.issuer === null && foldSubject(sought.subject) === foldSubject(other.subject);

/** The published policies that ask this group, in a stage or when they escalate. */
export const policiesAsking = (group: string, published: readonly PublishedPolicy[]): string[] =>
  published
    .filter(({ document }) => document.rules.some(({ rule }) => asks(rule, group)))
    .map(({ document }) => document.policy);

function asks(rule: Rule, group: string): boolean {
  if (rule.outcome !== 'require') return false;
  const sources = rule.stages.flatMap(({ groups, escalation }) =>
    [...groups, ...(escalation?.steps ?? [])].flatMap(({ approvers }) => approvers),
  );
  return sources.some((source) => source.kind === 'group' && source.name === group);
}
