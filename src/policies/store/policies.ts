import { Prisma } from '#platform/database/generated/prisma/client';
import type { Actor, AuditEntry, StoredEvent } from '#audit/entries/rules/entry';
import type { Proof } from '#audit/entries/rules/evidence';
import type { ElicitationId, PolicyId, ServerId, SpaceId, UserId } from '#platform/model/id';
import { policyPin, versionStates, type VersionState } from '../contract/policy.ts';
import type { InCommit } from '#platform/database/database';
import { locks } from '#platform/database/sql';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { policyDigests, readInForce, type PolicyInForce } from './in-force.ts';

/** One version of a policy; its document does not change after the draft. */
export interface VersionRecord {
  version: number;
  state: VersionState;
  document: string;
  digest: string;
  note: string;
  /** Null if the operator applied it from a file. */
  authorId: UserId | null;
  createdAt: number;
  reviewerId: UserId | null;
  reviewedAt: number | null;
  publishedAt: number | null;
}

export interface PolicyRecord {
  id: PolicyId;
  name: string;
  /** Null if it is global. It belongs where its first version was written. */
  spaceId: SpaceId | null;
  publishedVersion: number | null;
  shadowVersion: number | null;
  /** The newest first. */
  versions: VersionRecord[];
}

export type PolicyWrite =
  /** The policy is made with its first version, in `spaceId` or, if that is absent, as a global one. */
  | {
      type: 'version';
      policy: PolicyId;
      name: string;
      version: VersionRecord;
      isPublished: boolean;
      spaceId?: SpaceId | null | undefined;
    }
  | { type: 'draft'; policy: PolicyId; version: number; set: Pick<VersionRecord, 'document' | 'digest' | 'note'> }
  | { type: 'state'; policy: PolicyId; version: number; set: Partial<VersionRecord> & { state: VersionState } }
  | { type: 'publish'; policy: PolicyId; version: number; at: number }
  | { type: 'shadow'; policy: PolicyId; version: number | null };

export interface PolicyChange {
  write: PolicyWrite;
  entry: AuditEntry;
}

/** A policy in force, with its document and space. */
export type NamedDocument = Pick<PolicyInForce, 'name' | 'version' | 'document' | 'spaceId'>;

export interface ShadowResult {
  elicitation: ElicitationId;
  version: number;
  live: string;
  shadow: string;
  at: number;
}

/** Milliseconds; thousands of policies may be applied together. */
const maxChangeMs = 300_000;

/** Policies with their versions. */
export const createPolicies = (ledger: Ledger) => ({ ...createPolicyReader(ledger), ...createPolicyChanges(ledger) });

const createPolicyReader = ({ prisma, evidence }: Ledger) => ({
  /** All, each with its published, its shadow and its latest version only. */
  async list(): Promise<PolicyRecord[]> {
    const rows = await prisma.policy.findMany({ orderBy: { name: 'asc' } });
    const versions = await prisma.$queryRaw<PolicyRow['versions']>`
        SELECT v.policy_id AS "policyId", v.version, v.state, v.document, v.digest, v.note, v.author_id AS "authorId",
            v.created_at AS "createdAt", v.reviewer_id AS "reviewerId", v.reviewed_at AS "reviewedAt",
            v.published_at AS "publishedAt"
          FROM policy p JOIN policy_version v ON v.policy_id = p.id
         WHERE v.version IN (p.published_version, p.shadow_version,
             (SELECT max(m.version) FROM policy_version m WHERE m.policy_id = p.id))
         ORDER BY v.version DESC`;
    const byPolicy = new Map(rows.map((row) => [row.id, [] as typeof versions]));
    for (const version of versions) byPolicy.get(version.policyId)?.push(version);
    return rows.map((row) => toPolicy({ ...row, versions: byPolicy.get(row.id) ?? [] }));
  },
  /** All policies, whether published or not. */
  async names(): Promise<Pick<PolicyRecord, 'name' | 'spaceId'>[]> {
    const rows = await prisma.policy.findMany({ select: { name: true, spaceId: true }, orderBy: { name: 'asc' } });
    return rows.map(({ name, spaceId }) => ({ name, spaceId: spaceId as SpaceId | null }));
  },
  find: (name: string): Promise<PolicyRecord | null> => findPolicy(prisma, name),
  /** The versions that wait for a review. */
  async inReview(): Promise<(VersionRecord & Pick<PolicyRecord, 'name' | 'spaceId'>)[]> {
    const rows = await prisma.policyVersion.findMany({
      where: { state: 'in-review' },
      include: { policy: { select: { name: true, spaceId: true } } },
    });
    return rows.map(({ policy: { name, spaceId }, ...row }) => {
      return { ...toVersion(row), name, spaceId: spaceId as SpaceId | null };
    });
  },
  /** Publisher of this version, by the log; null if no one published it. */
  async publisher({ id, name }: Pick<PolicyRecord, 'id' | 'name'>, version: number): Promise<Actor | null> {
    const publications = await prisma.$queryRaw<Proof[]>`
        SELECT id, body, mac FROM audit_entry WHERE subject_id = ${id} AND type = 'policy.published' ORDER BY seq DESC`;
    const events = publications.map(evidence.open);
    const isOfVersion = (event: StoredEvent | null) =>
      event?.type === 'policy.published' && event.policy === policyPin(name, version);
    return events.find(isOfVersion)?.actor ?? null;
  },
  inForce: (): Promise<PolicyInForce[]> => readInForce({ prisma, evidence }),
  /** Documents that a transaction sees in force, also in shadow mode, apart from these versions, each as name@version. */
  inForceSince: (tx: Prisma.TransactionClient, pins: readonly string[]): Promise<NamedDocument[]> =>
    tx.$queryRaw`
        SELECT p.name, v.version, v.document, p.space_id AS "spaceId"
          FROM policy p JOIN policy_version v ON v.policy_id = p.id AND v.version IN (p.published_version, p.shadow_version)
         WHERE p.name || '@' || v.version <> ALL (${pins}::text[]) ORDER BY p.name, v.version`,
  /** If there is `among`, only of requests of these servers. */
  shadowResults: (name: string, limit: number, among: readonly ServerId[] | null) =>
    findShadowResults(prisma, name, limit, among),
});

const createPolicyChanges = ({ prisma, evidence }: Ledger) => ({
  /**
   * Decides on the current state of each of these policies, and stores all changes with their audit entries, or none.
   * Calls that share a policy run one after the other. `first` stores what must be decided before them.
   */
  change: (
    names: readonly string[],
    decide: (name: string, policy: PolicyRecord | null) => PolicyChange | null,
    also?: InCommit,
    first?: InCommit,
  ) =>
    prisma.$transaction(
      async (tx) => {
        await lock(tx, names);
        await first?.(tx);
        for (const name of names) {
          const change = decide(name, await findPolicy(tx, name));
          if (change) await store(tx, change, evidence);
        }
        await also?.(tx);
      },
      { timeout: maxChangeMs },
    ),
  /** Changes the version in shadow mode; `decide` also gets all others in shadow mode, which do not change meanwhile. */
  changeShadow: (
    name: string,
    decide: (
      policy: PolicyRecord | null,
      watching: { name: string; version: number; spaceId: SpaceId | null }[],
    ) => PolicyChange | null,
    also?: InCommit,
  ) =>
    prisma.$transaction(async (tx) => {
      await lock(tx, [name]);
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.shadow})`;
      const change = decide(await findPolicy(tx, name), await otherShadows(tx, name));
      if (change) await store(tx, change, evidence);
      await also?.(tx);
    }),
});

/**
 * All at once and in one order, so that two calls that share names cannot block each other. The second waits as long as
 * a change may take, because the first may apply many.
 */
async function lock(tx: Prisma.TransactionClient, names: readonly string[]): Promise<void> {
  await tx.$executeRaw`SELECT set_config('lock_timeout', '0', true),
    set_config('statement_timeout', ${String(maxChangeMs)}, true)`;
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(${locks.policy}, key)
      FROM (SELECT DISTINCT hashtext(name) AS key FROM unnest(${names}::text[]) AS name ORDER BY key) AS keys`;
}

async function findShadowResults(
  prisma: Prisma.TransactionClient,
  name: string,
  limit: number,
  among: readonly ServerId[] | null,
): Promise<{ total: number; different: number; results: ShadowResult[] }> {
  const like = `${name}@%`;
  const isAmong = among
    ? Prisma.sql`EXISTS (SELECT 1 FROM elicitation e
        WHERE e.id = shadow_result.elicitation_id AND e.server_id = ANY(${among}::text[]))`
    : Prisma.sql`true`;
  const [counts] = await prisma.$queryRaw<{ total: number; different: number }[]>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE live <> shadow)::int AS different
      FROM shadow_result WHERE policy LIKE ${like} AND ${isAmong}`;
  const rows = await prisma.shadowResult.findMany({
    where: { policy: { startsWith: `${name}@` }, ...(among && { elicitation: { serverId: { in: [...among] } } }) },
    orderBy: [{ at: 'desc' }, { elicitationId: 'asc' }],
    take: limit,
  });
  const results = rows.map(({ elicitationId, policy, live, shadow, at }) => {
    const version = Number(policy.slice(name.length + 1));
    return { elicitation: elicitationId as ElicitationId, version, live, shadow, at: at.getTime() };
  });
  return { ...(counts ?? { total: 0, different: 0 }), results };
}

async function otherShadows(tx: Prisma.TransactionClient, name: string) {
  const rows = await tx.policy.findMany({
    where: { shadowVersion: { not: null }, name: { not: name } },
    orderBy: { name: 'asc' },
  });
  return rows.map((row) => ({
    name: row.name,
    version: row.shadowVersion ?? 0,
    spaceId: row.spaceId as SpaceId | null,
  }));
}

async function store(tx: Prisma.TransactionClient, change: PolicyChange, evidence: Ledger['evidence']): Promise<void> {
  await write(tx, change.write);
  const { policy, version } = change.write;
  const written = typeof version === 'object' ? (version?.version ?? null) : version;
  await insertEntry(tx, evidence.seal(change.entry, await policyDigests(tx, policy, written), policy));
}

async function findPolicy(tx: Prisma.TransactionClient, name: string): Promise<PolicyRecord | null> {
  const row = await tx.policy.findUnique({
    where: { name },
    include: { versions: { orderBy: { version: 'desc' } } },
  });
  return row && toPolicy(row);
}

async function write(tx: Prisma.TransactionClient, change: PolicyWrite): Promise<void> {
  const { policy: id } = change;
  switch (change.type) {
    case 'version':
      return addVersion(tx, change);
    case 'draft':
    case 'state': {
      const where = { policyId_version: { policyId: id, version: change.version } };
      return void (await tx.policyVersion.update({ where, data: toData(change.set) }));
    }
    case 'publish': {
      const { version, at } = change;
      const where = { policyId_version: { policyId: id, version } };
      await tx.policyVersion.update({ where, data: { publishedAt: new Date(at) } });
      await tx.policy.updateMany({ where: { id, shadowVersion: version }, data: { shadowVersion: null } });
      return void (await tx.policy.update({ where: { id }, data: { publishedVersion: version } }));
    }
    case 'shadow':
      return void (await tx.policy.update({ where: { id }, data: { shadowVersion: change.version } }));
  }
}

async function addVersion(
  tx: Prisma.TransactionClient,
  { policy: id, name, version, isPublished, spaceId = null }: Extract<PolicyWrite, { type: 'version' }>,
): Promise<void> {
  const createdAt = new Date(version.createdAt);
  await tx.policy.upsert({ where: { id }, create: { id, name, createdAt, spaceId }, update: {} });
  const { version: number, state, document, digest, ...rest } = version;
  await tx.policyVersion.create({
    data: { policyId: id, version: number, state, document, digest, ...toData(rest), createdAt },
  });
  if (isPublished) await tx.policy.update({ where: { id }, data: { publishedVersion: number } });
}

const times = ['createdAt', 'reviewedAt', 'publishedAt'] as const;

function toData<T extends Partial<VersionRecord>>(set: T) {
  const dated = times.flatMap((key) => (typeof set[key] === 'number' ? [[key, new Date(set[key])] as const] : []));
  return { ...set, ...(Object.fromEntries(dated) as Partial<Record<(typeof times)[number], Date>>) };
}

type PolicyRow = Prisma.PolicyGetPayload<{ include: { versions: true } }>;

const toPolicy = ({ id, name, spaceId, publishedVersion, shadowVersion, versions }: PolicyRow): PolicyRecord => ({
  id: id as PolicyId,
  name,
  spaceId: spaceId as SpaceId | null,
  publishedVersion,
  shadowVersion,
  versions: versions.map(toVersion),
});

const toVersion = ({ policyId: _own, ...row }: PolicyRow['versions'][number]): VersionRecord => ({
  ...row,
  state: versionStates.find((state) => state === row.state) ?? 'rejected',
  authorId: row.authorId as UserId | null,
  reviewerId: row.reviewerId as UserId | null,
  createdAt: row.createdAt.getTime(),
  reviewedAt: row.reviewedAt?.getTime() ?? null,
  publishedAt: row.publishedAt?.getTime() ?? null,
});
