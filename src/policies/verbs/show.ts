import type { Actor } from '#audit/entries/rules/entry';
import type { UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import type { PolicyRecord, VersionRecord } from '../store/policies.ts';
import { maySeeSpace, mayIn, seenBy } from '#people/directory/verbs/may';
import { type TokenCaller, namedSpace } from '#people/directory/verbs/directory';
import { pageOf } from '#platform/nodes/verbs/lists';
import type { Engine } from '#platform/nodes/verbs/engine';
import { findVersion, type PolicyEngine, type VersionPlace } from './draft.ts';
import { visibleOf } from '#requests/inbox/verbs/visibility';
import { describeDocument, retires } from './read.ts';
import { mayReview, versionPermissions } from './simulate.ts';
import type { ListQuery } from '#people/users/contract';

/** With the rules, which hold the accounts of everyone who has several. */
type ReviewingEngine = PolicyEngine & Pick<Engine, 'rules'>;

/** A page of policies with what they say in plain words: the global ones, and those of spaces that the reader sees. */
export async function listPolicies(engine: PolicyEngine, reader: User | TokenCaller, request: ListQuery) {
  const [stored, directory] = await Promise.all([engine.policies.list(), engine.directory.read()]);
  const named = names(directory);
  const visible = stored.filter(({ spaceId }) => maySeeSpace(directory, reader, spaceId));
  const { items, next } = pageOf(visible, request, { key: ({ name }) => name, texts: ({ name }) => [name] });
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
      space: namedSpace(directory, policy.spaceId),
      terms: describeDocument(shownVersion.document),
      published: shown(policy.publishedVersion),
      shadow: shown(policy.shadowVersion),
      latest: showVersion(policy, latest, named),
    };
  });
  return { policies, next };
}

/** Every version of one policy, the newest first. */
export async function showHistory(engine: PolicyEngine, reader: User | TokenCaller, name: string) {
  const { policy, directory } = await findSeen(engine, reader, name);
  const named = names(directory);
  return {
    name,
    space: namedSpace(directory, policy.spaceId),
    versions: policy.versions.map((version) => showVersion(policy, version, named)),
  };
}

/** The versions that this person can review now. */
export async function listReviews({ policies, directory: people, rules }: ReviewingEngine, reader: User) {
  const [versions, directory, users] = await Promise.all([policies.inReview(), people.read(), rules.users()]);
  const due = versions.filter((version) => mayReview(directory, reader, version, users.directory.accounts));
  return due.map(({ name, version }) => ({ name, version })).toSorted(byPlace);
}

const byPlace = (first: VersionPlace, other: VersionPlace): number =>
  first.name === other.name ? first.version - other.version : first.name < other.name ? -1 : 1;

/** One version in full, and the number of the version to compare it with: by default the one before. */
export async function showPolicyVersion(
  engine: ReviewingEngine,
  user: User,
  { name, version }: VersionPlace,
  against?: number,
) {
  const { policy: policyRecord, directory } = await findSeen(engine, user, name);
  const named = names(directory);
  const record = findVersion(policyRecord, version);
  const other =
    against === undefined
      ? policyRecord.versions.find((candidate) => candidate.version < version)
      : findVersion(policyRecord, against);
  return {
    ...showVersion(policyRecord, record, named),
    document: record.document,
    terms: describeDocument(record.document),
    against: other?.version ?? null,
    space: namedSpace(directory, policyRecord.spaceId),
    publishers: publishersOf(await engine.policies.publisher(policyRecord, version), named),
    can: versionPermissions(user, record, policyRecord, {
      mayDo: (permission) => mayIn(directory, user, permission, policyRecord.spaceId),
      accounts: (await engine.rules.users()).directory.accounts,
      environment: engine.environment,
    }),
  };
}

/**
 * Verdicts of the version in shadow mode, next to the outcomes, for requests that the reader may read. Others at servers
 * that the reader sees are only counted, and not if under five.
 */
export async function showShadow(engine: Engine, reader: User, name: string) {
  const { directory } = await findSeen(engine, reader, name);
  const among = seenBy(directory, reader)?.servers ?? null;
  const { total, different, results } = await engine.policies.shadowResults(name, shownResults, among);
  const rows = await Promise.all(results.map(({ elicitation }) => engine.reader.elicitation(elicitation)));
  const readable = await visibleOf(
    engine,
    reader,
    rows.filter((row) => row !== null),
    'content',
  );
  const shown = results.filter(({ elicitation }) => readable.has(elicitation));
  const shownDifferent = shown.filter(({ live, shadow }) => live !== shadow).length;
  return {
    name,
    total: shown.length + toldCount(total - shown.length),
    different: shownDifferent + toldCount(different - shownDifferent),
    results: shown,
  };
}

/** A lower count would reveal the requests. */
const toldCount = (count: number): number => (count < 5 ? 0 : count);

const shownResults = 200;

type Named = (id: UserId | null) => { id: UserId; name: string } | null;

/** The policy of this name, with the directory; problem `not-found` if it is absent, or of a space that the reader does not see. */
export async function findSeen(
  { policies, directory: people }: PolicyEngine,
  reader: User | TokenCaller,
  name: string,
) {
  const [policy, directory] = await Promise.all([policies.find(name), people.read()]);
  if (!policy || !maySeeSpace(directory, reader, policy.spaceId)) throw new Problem('not-found');
  return { policy, directory };
}

function names({ users }: DirectoryRecord): Named {
  const namesById = new Map(users.map(({ id, name }) => [id, { id, name }]));
  return (id) => (id && namesById.get(id)) || null;
}

/** The names of who published it and of who agreed, in this order. */
function publishersOf(actor: Actor | null, named: Named): string[] {
  if (actor?.kind !== 'user' && actor?.kind !== 'token') return [];
  const first = actor.kind === 'user' ? named(actor.id) : actor;
  return [first, ...(actor.agreed?.with ?? []).map(named)].flatMap((by) => (by ? [by.name] : []));
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
