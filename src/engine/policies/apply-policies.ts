import { newId } from '../../crypto/random.ts';
import type { SpaceId } from '../../model/id.ts';
import type { User } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { PolicyDocument } from '../../policy/terms/policy-document.ts';
import { parsePolicy, type PolicyError } from '../../policy/parsing/parse-policy.ts';
import type { PolicyRecord } from '../../store/policies.ts';
import { aboutVersion, changePolicies, type PolicyEngine, type PolicyIntent } from './change-policy.ts';
import { newVersion, refuseInSpace, saveDraft, type VersionPlace } from './draft-policy.ts';
import { digestDocument, readPolicy, retires } from './read-policy.ts';
import { refuseUnsatisfiableNow } from './satisfiable.ts';

export interface Applied extends VersionPlace {
  change: 'published' | 'retired' | 'unchanged';
}

export interface ApplyOptions {
  /** Retires published policies that are in none of the documents. */
  isPruning?: boolean | undefined;
  /** Changes nothing, and says what would be changed. */
  isDryRun?: boolean | undefined;
  /** The space that the policies are of; absent or null if they are global. */
  space?: SpaceId | null | undefined;
}

/**
 * Publishes documents as the operator, who is responsible for their review; the log says so. All of them or none, in
 * one commit. A document equal to the published one makes no version.
 */
export async function applyPolicies(
  engine: PolicyEngine,
  documents: string[],
  { isPruning = false, isDryRun = false, space = null }: ApplyOptions = {},
): Promise<Applied[]> {
  const own = documents.map((document) => ({ document, policy: readPolicy(document) }));
  const read = isPruning ? [...own, ...(await retireOthers(engine, own, space))] : own;
  const policies = read.map(({ policy }) => policy);
  refuseSameName(policies);
  for (const policy of policies) refuseInSpace(policy, space);
  await refuseUnsatisfiableNow(engine, policies);
  const byName = new Map(read.map(({ document, policy }) => [policy.policy, document]));
  const applied: Applied[] = [];
  await changePolicies(engine, 'operator', [...byName.keys()], (name, policy) => {
    const { done, intent } = applyOne(name, policy, byName.get(name) ?? '', space, engine.now());
    applied.push(done);
    return isDryRun ? null : intent;
  });
  return applied;
}

/** For each published policy of the space that these leave out, the document that retires it. */
async function retireOthers(engine: PolicyEngine, documents: { policy: PolicyDocument }[], space: SpaceId | null) {
  const names = new Set(documents.map(({ policy }) => policy.policy));
  const others = (await exportPolicies(engine)).filter(
    ({ name, document, spaceId }) => spaceId === space && !names.has(name) && !retires(document),
  );
  return others.map(({ name }) => {
    const document = `policy: ${JSON.stringify(name)}\nretire: { reason: It is in none of the files that were applied. }\n`;
    return { document, policy: readPolicy(document) };
  });
}

function refuseSameName(policies: PolicyDocument[]): void {
  const names = policies.map(({ policy }) => policy);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length === 0) return;
  const message = 'Keep one of these documents: more than one has this name.';
  throw new Problem('policy-invalid', { errors: [...new Set(twice)].map((name) => ({ path: [name], message })) });
}

function applyOne(
  name: string,
  policy: PolicyRecord | null,
  document: string,
  space: SpaceId | null,
  at: number,
): { done: Applied; intent: PolicyIntent | null } {
  const digest = digestDocument(document);
  if (policy && policy.spaceId !== space) throw elsewhere(name);
  const published = publishedOf(policy);
  if (published?.digest === digest) {
    return { done: { name, version: published.version, change: 'unchanged' }, intent: null };
  }
  const draft = newVersion(policy, { document, digest, note: '', authorId: null, createdAt: at });
  const version = { ...draft, state: 'approved' as const, publishedAt: at };
  return {
    done: { name, version: version.version, change: retires(document) ? 'retired' : 'published' },
    intent: {
      write: {
        type: 'version',
        policy: policy?.id ?? newId('policy'),
        name,
        version,
        isPublished: true,
        spaceId: space,
      },
      event: aboutVersion('policy.published', name, version),
    },
  };
}

const elsewhere = (name: string): Problem =>
  new Problem('INVALID_INPUT', {
    errors: [
      { path: [name], message: 'Apply it where it belongs, or give it another name: a policy stays in its space.' },
    ],
  });

/** Makes a draft of every document that differs from the published one; publishes nothing. */
export async function importPolicies(
  engine: PolicyEngine,
  user: User,
  documents: string[],
): Promise<{ drafts: VersionPlace[]; unchanged: string[] }> {
  const read = documents.map((document) => ({ document, name: readPolicy(document).policy }));
  const drafts: VersionPlace[] = [];
  const unchanged: string[] = [];
  for (const { document, name } of read) {
    const published = publishedOf(await engine.policies.find(name));
    if (published?.digest === digestDocument(document)) unchanged.push(name);
    else drafts.push(await saveDraft(engine, user, { document, note: 'Imported' }));
  }
  return { drafts, unchanged };
}

export interface Exported extends VersionPlace {
  /** Null if it is global. */
  spaceId: SpaceId | null;
  document: string;
  /** Why it can no longer be read; empty if it can. */
  errors: PolicyError[];
}

/** Every published document as its author wrote it, by name. */
export async function exportPolicies({ policies }: Pick<PolicyEngine, 'policies'>): Promise<Exported[]> {
  const inForce = await policies.inForce();
  return inForce
    .filter(({ isShadow }) => !isShadow)
    .map(({ name, version, document, spaceId }) => {
      const parsed = parsePolicy(document);
      return { name, version, document, spaceId, errors: parsed.ok ? [] : parsed.errors };
    });
}

const publishedOf = (policy: PolicyRecord | null) =>
  policy?.versions.find(({ version }) => version === policy.publishedVersion);
