import { newId } from '#platform/crypto/random';
import type { SpaceId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { PolicyDocument } from '../../document/rules/document/policy-document.ts';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import { assertNoObjection } from '#requests/state/verbs/permissions/permissions';
import { issuerOf, type TokenCaller } from '#people/directory/verbs/directory';
import { aboutVersion, changePolicy, changeVersion, type PolicyEngine, type PolicyIntent } from './change-policy.ts';
import { digestDocument, readPolicy } from '../simulate/read-policy.ts';
import { againstVersion } from '../simulate/version-permissions.ts';

interface DraftRequest {
  document: string;
  note?: string | undefined;
  /** The draft to replace. */
  version?: number | undefined;
  /** The space of a new policy; absent or null makes it global. */
  space?: SpaceId | null | undefined;
}

export interface VersionPlace {
  name: string;
  version: number;
}

/** Writes a new draft, or one's own draft again; problem `policy-invalid` if the document has faults. */
export async function saveDraft(engine: PolicyEngine, user: User, request: DraftRequest): Promise<VersionPlace> {
  const { document, note = '', space = null } = request;
  if (request.version === undefined) return addDraft(engine, user, { document, note, space });
  const read = readPolicy(document);
  const { policy: name } = read;
  const digest = digestDocument(document);
  const place = { name, version: request.version };
  await changeVersion(engine, user, place, (draft, policy) => {
    assertKeepIsGlobal(read, policy.spaceId);
    assertNoObjection(againstVersion.edit(user, draft));
    const { version } = draft;
    return {
      write: { type: 'draft', policy: policy.id, version, set: { document, digest, note } },
      event: aboutVersion('policy.drafted', name, { version, digest }),
    };
  });
  return place;
}

/** Writes a new draft. Of one that a program wrote, the maker of its token is the author: they do not review it. */
export async function addDraft(
  engine: PolicyEngine,
  by: User | TokenCaller,
  { document, note, space = null }: { document: string; note: string; space?: SpaceId | null },
): Promise<VersionPlace> {
  const read = readPolicy(document);
  const { policy: name } = read;
  const parts = { document, digest: digestDocument(document), note, authorId: issuerOf(by) };
  let place: VersionPlace = { name, version: 1 };
  const decide = (policy: PolicyRecord | null): PolicyIntent => {
    assertKeepIsGlobal(read, policy ? policy.spaceId : space);
    const draft = newVersion(policy, { ...parts, createdAt: engine.now() });
    place = { name, version: draft.version };
    const id = policy?.id ?? newId('policy');
    return {
      write: { type: 'version', policy: id, name, version: draft, isPublished: false, spaceId: space },
      event: aboutVersion('policy.drafted', name, draft),
    };
  };
  await changePolicy(engine, by, name, decide, { newIn: space });
  return place;
}

/** How long content is kept is said everywhere alike: a space can only add to what others require. */
export function assertKeepIsGlobal({ keep }: PolicyDocument, space: SpaceId | null): void {
  if (space === null || keep === null) return;
  const message = 'Leave it out: only global policies say how long content is kept.';
  throw new Problem('policy-invalid', { errors: [{ path: ['document', 'keep'], message }] });
}

/** An older document as a new draft: a rollback is reviewed like every other change. */
export async function restoreVersion(engine: PolicyEngine, user: User, from: VersionPlace): Promise<VersionPlace> {
  let place = from;
  await changeVersion(engine, user, from, (old, policy) => {
    assertNoObjection(againstVersion.restore(user, old, policy));
    readPolicy(old.document);
    const { document, digest } = old;
    const note = `Version ${old.version} again`;
    const draft = newVersion(policy, { document, digest, note, authorId: user.id, createdAt: engine.now() });
    place = { name: from.name, version: draft.version };
    return {
      write: { type: 'version', policy: policy.id, name: from.name, version: draft, isPublished: false },
      event: aboutVersion('policy.drafted', from.name, draft),
    };
  });
  return place;
}

/** Numbers are never used twice. */
export function newVersion(
  policy: PolicyRecord | null,
  parts: Pick<VersionRecord, 'document' | 'digest' | 'note' | 'authorId' | 'createdAt'>,
): VersionRecord {
  const version = nextVersion(policy);
  if (version > maxVersions) throw new Problem('not-now', { refusal: { code: 'too-many-versions' } });
  return { version, state: 'draft', reviewerId: null, reviewedAt: null, publishedAt: null, ...parts };
}

const maxVersions = 100_000;

export const nextVersion = (policy: PolicyRecord | null): number => (policy?.versions[0]?.version ?? 0) + 1;
