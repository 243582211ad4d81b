import { auditEntry, type AuditEvent } from '../../audit/entry.ts';
import { assertMay } from '../assert-may.ts';
import { newId } from '../../crypto/random.ts';
import { policyPin } from '../../model/policy.ts';
import { Problem } from '../../model/problem.ts';
import type { InCommit } from '../../store/database/in-commit.ts';
import type { PolicyChange, PolicyRecord, PolicyWrite, VersionRecord } from '../../store/policies.ts';
import { actorOf, type Administrator, type DirectoryEngine } from '../users/change-directory.ts';
import type { Engine } from '../engine.ts';

export type PolicyEngine = Pick<Engine, 'policies'> & DirectoryEngine;

export interface PolicyIntent {
  write: PolicyWrite;
  event: AuditEvent;
}

/**
 * The one door for changes of policies: each is decided on its current state, and all are stored with their audit
 * entries, or none.
 */
export async function changePolicies(
  { policies, now }: PolicyEngine,
  by: Administrator,
  names: readonly string[],
  decide: (name: string, policy: PolicyRecord | null) => PolicyIntent | null,
  also?: InCommit,
): Promise<void> {
  assertMay(by, 'write-policies');
  await policies.change(names, (name, policy) => recorded(by, decide(name, policy), now()), also);
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
  also?: InCommit,
): Promise<void> => changePolicies(engine, by, [name], (_, policy) => decide(policy), also);

/** The same for one version that must exist. */
export const changeVersion = (
  engine: PolicyEngine,
  by: Administrator,
  { name, version }: { name: string; version: number },
  decide: (version: VersionRecord, policy: PolicyRecord) => PolicyIntent | null,
  also?: InCommit,
): Promise<void> =>
  changePolicy(engine, by, name, (policy) => decide(findVersion(policy, version), policy as PolicyRecord), also);

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
