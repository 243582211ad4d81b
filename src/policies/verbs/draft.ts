import { newId } from '#platform/crypto/random';
import type { SpaceId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { PolicyDocument } from '../document/rules/document.ts';
import type { PolicyRecord, VersionRecord, PolicyChange, PolicyWrite } from '../store/policies.ts';
import { assertNoObjection } from '#requests/state/verbs/permissions';
import {
  issuerOf,
  type TokenCaller,
  actorOf,
  guardScope,
  type Administrator,
  type DirectoryEngine,
} from '#people/directory/verbs/directory';
import { againstVersion } from './simulate.ts';
import { digestDocument, readPolicy } from './read.ts';
import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { assertMayIn, maySeeSpace } from '#people/directory/verbs/may';
import { may, type Permission } from '#people/directory/contract/permission';
import { policyPin } from '../contract/policy.ts';
import { inSequence, type InCommit } from '#platform/database/database';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { SaveDraft } from '../contract/documents.ts';

export interface VersionPlace {
  name: string;
  version: number;
}

/** Writes a new draft, or one's own draft again; problem `policy-invalid` if the document has faults. */
export async function saveDraft(engine: PolicyEngine, user: User, request: SaveDraft): Promise<VersionPlace> {
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
  first?: InCommit,
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
  await changePolicy(engine, by, name, decide, { newIn: space, first });
  return place;
}

/** Global policies alone say how long content is kept: a space can only add to what others require. */
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

export type PolicyEngine = Pick<Engine, 'policies'> & DirectoryEngine;

interface PolicyChanging {
  /** Further writes of the commit, and those that come before the policies. */
  also?: InCommit | undefined;
  first?: InCommit | undefined;
  /** The space that a new policy is of. */
  newIn?: SpaceId | null | undefined;
  /** The permission needed in the policy's space. */
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
  { also, first, newIn = null, needed }: PolicyChanging = {},
): Promise<void> {
  const writing = await writingIn(engine, by, needed);
  await engine.policies.change(
    names,
    (name, policy) => {
      writing.check(policy, newIn);
      return recorded(by, decide(name, policy), engine.now());
    },
    inSequence(writing.also, also),
    first,
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

/** Changes one policy. */
export const changePolicy = (
  engine: PolicyEngine,
  by: Administrator,
  name: string,
  decide: (policy: PolicyRecord | null) => PolicyIntent | null,
  options?: PolicyChanging,
): Promise<void> => changePolicies(engine, by, [name], (_, policy) => decide(policy), options);

/** Changes one version that must exist. */
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
