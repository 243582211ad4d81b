import { newId } from '../crypto/random.ts';
import type { Person } from '../model/person.ts';
import type { PolicyRecord } from '../store/policies.ts';
import { aboutVersion, changePolicy, type PolicyEngine } from './change-policy.ts';
import { newVersion, saveDraft, type VersionPlace } from './draft-policy.ts';
import { digestDocument, readPolicy } from './read-policy.ts';
import { refuseUnsatisfiableNow } from './satisfiable.ts';

export interface Applied extends VersionPlace {
  change: 'published' | 'unchanged';
}

/**
 * Publishes documents as the operator, who answers for their review elsewhere; the log says so. A document equal to
 * the published one makes no version. All are read before the first is published.
 */
export async function applyPolicies(engine: PolicyEngine, documents: string[]): Promise<Applied[]> {
  const read = documents.map((document) => ({ document, policy: readPolicy(document) }));
  await refuseUnsatisfiableNow(
    engine,
    read.map(({ policy }) => policy),
  );
  const applied: Applied[] = [];
  for (const { document, policy } of read) applied.push(await applyOne(engine, policy.policy, document));
  return applied;
}

async function applyOne(engine: PolicyEngine, name: string, document: string): Promise<Applied> {
  const digest = digestDocument(document);
  let applied: Applied | undefined;
  await changePolicy(engine, 'operator', name, (policy) => {
    const published = publishedOf(policy);
    if (published?.digest === digest) {
      applied = { name, version: published.version, change: 'unchanged' };
      return null;
    }
    const at = engine.now();
    const draft = newVersion(policy, { document, digest, note: '', authorId: null, createdAt: at });
    const version = { ...draft, state: 'approved' as const, publishedAt: at };
    applied = { name, version: version.version, change: 'published' };
    return {
      write: { type: 'version', policy: policy?.id ?? newId('policy'), name, version, isPublished: true },
      event: aboutVersion('policy.published', name, version),
    };
  });
  return applied as Applied;
}

/** Makes a draft of every document that differs from what is published; nothing is published by it. */
export async function importPolicies(
  engine: PolicyEngine,
  person: Person,
  documents: string[],
): Promise<{ drafts: VersionPlace[]; unchanged: string[] }> {
  const read = documents.map((document) => ({ document, name: readPolicy(document).policy }));
  const drafts: VersionPlace[] = [];
  const unchanged: string[] = [];
  for (const { document, name } of read) {
    const published = publishedOf(await engine.policies.find(name));
    if (published?.digest === digestDocument(document)) unchanged.push(name);
    else drafts.push(await saveDraft(engine, person, { document, note: 'Imported' }));
  }
  return { drafts, unchanged };
}

/** Every published document as its author wrote it, by name. */
export async function exportPolicies({ policies }: Pick<PolicyEngine, 'policies'>) {
  const inForce = await policies.inForce();
  return inForce.filter(({ isShadow }) => !isShadow).map(({ name, document }) => ({ name, document }));
}

const publishedOf = (policy: PolicyRecord | null) =>
  policy?.versions.find(({ version }) => version === policy.publishedVersion);
