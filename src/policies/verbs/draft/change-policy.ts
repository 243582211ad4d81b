import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { assertMayIn, maySeeSpace } from '../../deciding/verbs/rules/assert-may.ts';
import { newId } from '#platform/crypto/random';
import type { SpaceId } from '#platform/model/id';
import { may, type Permission } from '#people/directory/contract/permission';
import { policyPin } from '../../contract/policy.ts';
import { Problem } from '#platform/model/problem';
import { inSequence, type InCommit } from '#platform/database/database';
import type { PolicyChange, PolicyRecord, PolicyWrite, VersionRecord } from '../../store/policies.ts';
import { actorOf, guardScope, type Administrator, type DirectoryEngine } from '#people/directory/verbs/directory';
import type { Engine } from '#platform/nodes/verbs/engine';

export type PolicyEngine = Pick<Engine, 'policies'> & DirectoryEngine;

interface PolicyChanging {
  /** What else the commit stores. */
  also?: InCommit | undefined;
  /** The space that a new policy is of. */
  newIn?: SpaceId | null | undefined;
  /** What it takes where the policy is. */
  needed?: Permission;
}

export interface PolicyIntent {
  write: PolicyWrite;
  event: AuditEvent;
}

/**
 * The one door for changes of policies: each is decided on its current state, and all are stored with their audit
 * entries, or none.
 */
export async function changePolicies(
  engine: PolicyEngine,
  by: Administrator,
  names: readonly string[],
  decide: (name: string, policy: PolicyRecord | null) => PolicyIntent | null,
  { also, newIn = null, needed }: PolicyChanging = {},
): Promise<void> {
  const writing = await writingIn(engine, by, needed);
  await engine.policies.change(
    names,
    (name, policy) => {
      writing.check(policy, newIn);
      return recorded(by, decide(name, policy), engine.now());
    },
    inSequence(writing.also, also),
  );
}

/**
 * Refuses to write policies where this person may not: what they do not see is absent to them. The commit checks a role in a
 * space again.
 */
export async function writingIn(engine: PolicyEngine, by: Administrator, needed: Permission = 'write-policies') {
  const directory = await engine.directory.read();
  const spaces = new Set<SpaceId | null>();
  const check = (policy: PolicyRecord | null, newIn: SpaceId | null = null): void => {
    if (by === 'operator' || by.kind !== 'user') return;
    const isHidden = policy !== null && !maySeeSpace(directory, by, policy.spaceId);
    const space = policy && !isHidden ? policy.spaceId : newIn;
    assertMayIn(directory, by, needed, space);
    if (isHidden) throw new Problem('already-exists', { detail: 'Choose another name: this one is taken.' });
    spaces.add(space);
  };
  const also: InCommit = async (tx) => {
    if (by !== 'operator' && by.kind === 'token') return by.also(tx);
    if (by === 'operator' || by.kind !== 'user' || may(by, needed)) return;
    for (const space of spaces) await guardScope(engine, by, { permission: needed, space: () => space })(tx);
  };
  const sees = (space: SpaceId | null): boolean =>
    by === 'operator' || by.kind === 'agreement' || maySeeSpace(directory, by, space);
  return { check, also, sees };
}

/** The stored form of an intent, with its audit event. */
export const recorded = (by: Administrator, intent: PolicyIntent | null, now: number): PolicyChange | null =>
  intent && { write: intent.write, entry: auditEntry(newId('entry'), now, actorOf(by), intent.event) };

/** The same for one policy. */
export const changePolicy = (
  engine: PolicyEngine,
  by: Administrator,
  name: string,
  decide: (policy: PolicyRecord | null) => PolicyIntent | null,
  options?: PolicyChanging,
): Promise<void> => changePolicies(engine, by, [name], (_, policy) => decide(policy), options);

/** The same for one version that must exist. */
export const changeVersion = (
  engine: PolicyEngine,
  by: Administrator,
  { name, version }: { name: string; version: number },
  decide: (version: VersionRecord, policy: PolicyRecord) => PolicyIntent | null,
  options?: PolicyChanging,
): Promise<void> =>
  changePolicy(engine, by, name, (policy) => decide(findVersion(policy, version), policy as PolicyRecord), options);

export function findVersion(policy: PolicyRecord | null, version: number): VersionRecord {
  const record = policy?.versions.find((candidate) => candidate.version === version);
  if (!record) throw new Problem('not-found');
  return record;
}

type VersionEvent = `policy.${'drafted' | 'submitted' | 'approved' | 'rejected' | 'published'}`;

/** The audit event of a version. */
export const aboutVersion = (
  type: VersionEvent,
  name: string,
  { version, digest }: Pick<VersionRecord, 'version' | 'digest'>,
): AuditEvent => ({ type, policy: policyPin(name, version), digest });
