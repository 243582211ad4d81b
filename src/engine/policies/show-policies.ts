import type { UserId } from '../../model/id.ts';
import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import { pageOf, type ListRequest } from '../list-page.ts';
import { findVersion, type PolicyEngine } from './change-policy.ts';
import type { VersionPlace } from './draft-policy.ts';
import { describeDocument, retires } from './read-policy.ts';
import { versionPermissions } from './version-permissions.ts';

/** A page of policies with what they say in plain words. */
export async function listPolicies(engine: PolicyEngine, request: ListRequest) {
  const [stored, named] = await Promise.all([engine.policies.list(), names(engine)]);
  const { items, next } = pageOf(stored, request, { key: ({ name }) => name, texts: ({ name }) => [name] });
  const policies = items.flatMap((policy) => {
    const shown = (version: number | null) => {
      const record = policy.versions.find((candidate) => candidate.version === version);
      return record ? showVersion(policy, record, named) : null;
    };
    const [latest] = policy.versions;
    if (!latest) return [];
    const shownVersion = policy.versions.find(({ version }) => version === policy.publishedVersion) ?? latest;
    return {
      name: policy.name,
      terms: describeDocument(shownVersion.document),
      published: shown(policy.publishedVersion),
      shadow: shown(policy.shadowVersion),
      latest: showVersion(policy, latest, named),
    };
  });
  return { policies, next };
}

/** Every version of one policy, the newest first. */
export async function showHistory(engine: PolicyEngine, name: string) {
  const [policy, named] = await Promise.all([engine.policies.find(name), names(engine)]);
  if (!policy) throw new Problem('not-found');
  return { name, versions: policy.versions.map((version) => showVersion(policy, version, named)) };
}

/** One version in full, and the number of the version to compare it with: by default the one before. */
export async function showPolicyVersion(
  engine: PolicyEngine,
  user: User,
  { name, version }: VersionPlace,
  against?: number,
) {
  const [policy, named] = await Promise.all([engine.policies.find(name), names(engine)]);
  const record = findVersion(policy, version);
  const policyRecord = policy as PolicyRecord;
  const other =
    against === undefined
      ? policyRecord.versions.find((candidate) => candidate.version < version)
      : findVersion(policy, against);
  return {
    ...showVersion(policyRecord, record, named),
    document: record.document,
    terms: describeDocument(record.document),
    against: other?.version ?? null,
    can: versionPermissions(user, record, policyRecord),
  };
}

/** What the version in shadow mode would have done, next to what happened. */
export async function showShadow({ policies }: PolicyEngine, name: string) {
  if (!(await policies.find(name))) throw new Problem('not-found');
  return { name, ...(await policies.shadowResults(name, shownResults)) };
}

const shownResults = 200;

type Named = (id: UserId | null) => { id: UserId; name: string } | null;

async function names({ directory }: PolicyEngine): Promise<Named> {
  const { users } = await directory.read();
  const namesById = new Map(users.map(({ id, name }) => [id, { id, name }]));
  return (id) => (id && namesById.get(id)) || null;
}

function showVersion({ name, publishedVersion, shadowVersion }: PolicyRecord, record: VersionRecord, named: Named) {
  const { document, authorId, reviewerId, ...version } = record;
  const isPublished = version.version === publishedVersion;
  return {
    name,
    ...version,
    isPublished,
    isRetired: isPublished && retires(document),
    isShadow: version.version === shadowVersion,
    author: named(authorId),
    reviewer: named(reviewerId),
  };
}
