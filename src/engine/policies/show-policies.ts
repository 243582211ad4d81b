import type { UserId } from '../../model/id.ts';
import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import { findVersion, type PolicyEngine } from './change-policy.ts';
import type { VersionPlace } from './draft-policy.ts';
import { describeDocument, retires } from './read-policy.ts';
import { versionPermissions } from './version-permissions.ts';

/** Every policy with what it says in plain words. */
export async function listPolicies(engine: PolicyEngine) {
  const [policies, named] = await Promise.all([engine.policies.list(), names(engine)]);
  return policies.flatMap((policy) => {
    const shown = (version: number | null) => {
      const found = policy.versions.find((one) => one.version === version);
      return found ? showVersion(policy, found, named) : null;
    };
    const [latest] = policy.versions;
    if (!latest) return [];
    const told = policy.versions.find(({ version }) => version === policy.publishedVersion) ?? latest;
    return {
      name: policy.name,
      terms: describeDocument(told.document),
      published: shown(policy.publishedVersion),
      shadow: shown(policy.shadowVersion),
      latest: showVersion(policy, latest, named),
    };
  });
}

/** Every version of one policy, the newest first. */
export async function showHistory(engine: PolicyEngine, name: string) {
  const [policy, named] = await Promise.all([engine.policies.find(name), names(engine)]);
  if (!policy) throw new Problem('not-found');
  return { name, versions: policy.versions.map((version) => showVersion(policy, version, named)) };
}

/** One version, complete, with its differences from another; by default the one before it. */
export async function showPolicyVersion(
  engine: PolicyEngine,
  user: User,
  { name, version }: VersionPlace,
  against?: number,
) {
  const [policy, named] = await Promise.all([engine.policies.find(name), names(engine)]);
  const found = findVersion(policy, version);
  const known = policy as PolicyRecord;
  const other =
    against === undefined ? known.versions.find((one) => one.version < version) : findVersion(policy, against);
  return {
    ...showVersion(known, found, named),
    document: found.document,
    terms: describeDocument(found.document),
    against: other?.version ?? null,
    can: versionPermissions(user, found, known),
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
  const known = new Map(users.map(({ id, name }) => [id, { id, name }]));
  return (id) => (id && known.get(id)) || null;
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
