import type { Prisma } from '#platform/database/generated/prisma/client';
import type { Proof, RowDigests } from '#audit/entries/rules/evidence';
import type { SpaceId, UserId } from '#platform/model/id';
import type { Ledger } from '#audit/entries/store/entries';
import { policyTable, policyVersionTable } from './tables.ts';

/** A version that decides, or one in shadow mode. */
export interface PolicyInForce {
  name: string;
  version: number;
  document: string;
  authorId: UserId | null;
  /** Null if it is global. */
  spaceId: SpaceId | null;
  isShadow: boolean;
  /** Does the log say so? A document, or the version in force, may have been changed without the verbs. */
  isProven: boolean;
}

type PolicyRow = Prisma.PolicyGetPayload<object>;
type VersionRow = Prisma.PolicyVersionGetPayload<object>;

/** The policies in force at one moment. One that the log calls published and that is missing comes as unproven. */
export const readInForce = ({ prisma, evidence }: Pick<Ledger, 'prisma' | 'evidence'>): Promise<PolicyInForce[]> =>
  prisma.$transaction(
    async (tx) => {
      const proofs = await latestOfPolicies(tx);
      const policies = await tx.policy.findMany({ orderBy: { name: 'asc' } });
      const versions = await versionsInForce(tx);
      const provenPolicies = policies.flatMap((policy) => {
        const own = versions.filter(({ policyId }) => policyId === policy.id);
        const rows = openRows({ evidence }, proofs.get(policy.id));
        const isProven = Object.entries(digestsOf(policy, own)).every(([id, digest]) => rows[id] === digest);
        return isProven ? own.map((version) => inForce(policy, version)) : [unproven(policy.name)];
      });
      const gone = [...proofs.keys()].filter((id) => !policies.some((policy) => policy.id === id));
      return [...provenPolicies, ...gone.map(unproven)];
    },
    { isolationLevel: 'RepeatableRead' },
  );

const openRows = ({ evidence }: Pick<Ledger, 'evidence'>, proof: Proof | undefined): RowDigests =>
  (proof && evidence.open(proof)?.rows) ?? {};

const inForce = (
  { name, publishedVersion, spaceId }: PolicyRow,
  { version, document, authorId }: VersionRow,
): PolicyInForce => ({
  name,
  version,
  document,
  authorId: authorId as UserId | null,
  spaceId: spaceId as SpaceId | null,
  isShadow: version !== publishedVersion,
  isProven: true,
});

const unproven = (name: string): PolicyInForce => ({
  name,
  version: 0,
  document: '',
  authorId: null,
  spaceId: null,
  isShadow: false,
  isProven: false,
});

/** Digests of a policy for the log: the row, its versions in force, and the written version. */
export async function policyDigests(tx: Prisma.TransactionClient, id: string, written: number | null) {
  const policy = await tx.policy.findUniqueOrThrow({ where: { id } });
  const numbers = [policy.publishedVersion, policy.shadowVersion, written].filter((number) => number !== null);
  return digestsOf(policy, await tx.policyVersion.findMany({ where: { policyId: id, version: { in: numbers } } }));
}

export const digestsOf = (policy: PolicyRow, versions: VersionRow[]): RowDigests => ({
  [policy.id]: policyTable.digest(policy),
  ...Object.fromEntries(versions.map((row) => [`${row.policyId}@${row.version}`, policyVersionTable.digest(row)])),
});

const versionsInForce = (tx: Prisma.TransactionClient): Promise<VersionRow[]> =>
  tx.$queryRaw`
    SELECT v.policy_id AS "policyId", v.version, v.state, v.document, v.digest, v.note, v.author_id AS "authorId",
        v.created_at AS "createdAt", v.reviewer_id AS "reviewerId", v.reviewed_at AS "reviewedAt",
        v.published_at AS "publishedAt"
      FROM policy p JOIN policy_version v ON v.policy_id = p.id AND v.version IN (p.published_version, p.shadow_version)
     ORDER BY v.policy_id, v.version`;

async function latestOfPolicies(tx: Prisma.TransactionClient): Promise<Map<string, Proof>> {
  const rows = await tx.$queryRaw<(Proof & { policy: string })[]>`
    SELECT DISTINCT ON (a.subject_id) a.subject_id AS policy, a.id, a.body, a.mac
      FROM audit_entry a WHERE a.type LIKE 'policy.%' AND a.subject_id IS NOT NULL ORDER BY a.subject_id, a.seq DESC`;
  return new Map(rows.map(({ policy, ...proof }) => [policy, proof]));
}
