import type { SpaceId } from '#platform/model/id';
import type { Alone, User } from '#people/directory/contract/user';
import { policyPin } from '../contract/policy.ts';
import { Problem } from '#platform/model/problem';
import { inSequence } from '#platform/database/database';
import type { PolicyChange, PolicyRecord, VersionRecord } from '../store/policies.ts';
import { assertNoObjection } from '#requests/state/verbs/permissions';
import { accountsOf } from '#people/accounts/verbs/pairs';
import { guardPower, outdatedChange, type Administrator } from '#people/directory/verbs/directory';
import {
  aboutVersion,
  changeVersion,
  findVersion,
  recorded,
  writingIn,
  type PolicyEngine,
  type PolicyIntent,
  type VersionPlace,
} from './draft.ts';
import { againstVersion } from './simulate.ts';
import { readPolicy } from './read.ts';
import { assertSatisfiableNow } from './check.ts';
import type { ReviewVersion } from '../contract/documents.ts';

/** Submits a draft for review; after that its text never changes. */
export const submitVersion = (engine: PolicyEngine, user: User, place: VersionPlace): Promise<void> =>
  changeVersion(engine, user, place, (version, { id }) => {
    assertNoObjection(againstVersion.submit(user, version));
    return {
      write: { type: 'state', policy: id, version: version.version, set: { state: 'in-review' } },
      event: aboutVersion('policy.submitted', place.name, version),
    };
  });

/** A second person's review, bound to what they read; never the author's. */
export async function reviewVersion(
  engine: PolicyEngine,
  user: User,
  place: VersionPlace,
  { verdict, digest, note }: ReviewVersion,
): Promise<void> {
  const { users } = await engine.directory.read();
  const accounts = accountsOf(users, engine.environment);
  return changeVersion(engine, user, place, (version, { id }) => {
    assertNoObjection(againstVersion.review(user, version, null, accounts));
    if (digest !== version.digest) throw new Problem('digest-mismatch');
    const state = verdict === 'approve' ? 'approved' : 'rejected';
    const remark = note ? { note: [version.note, `${user.name}: ${note}`].filter(Boolean).join('\n') } : {};
    const set = { state, reviewerId: user.id, reviewedAt: engine.now(), ...remark } as const;
    return {
      write: { type: 'state', policy: id, version: version.version, set },
      event: aboutVersion(`policy.${state}`, place.name, version),
    };
  });
}

/** A version, and the one that was published when it was asked to publish this one. */
export interface Publication extends VersionPlace {
  digest: string;
  published: number | null;
}

/**
 * Publishes an approved version. Problem `unsatisfiable` if no one could satisfy it, `not-now` if another one was
 * published meanwhile.
 */
export async function publishVersion(
  engine: PolicyEngine,
  by: Administrator,
  place: Publication,
): Promise<{ alone: Alone | null }> {
  const stored = await engine.policies.find(place.name);
  const { document, authorId } = findVersion(stored, place.version);
  const publishing = { author: authorId, space: stored?.spaceId ?? null };
  const satisfiable = await assertSatisfiableNow(engine, [readPolicy(document)], publishing);
  const { also, alone } = guardPower(engine, by, {
    permission: 'publish-policies',
    space: () => stored?.spaceId,
  });
  const decide = (version: VersionRecord, policy: PolicyRecord): PolicyIntent => {
    assertNoObjection(againstVersion.publish(by, version, policy));
    if (version.digest !== place.digest || policy.publishedVersion !== place.published) throw outdatedChange();
    return {
      write: { type: 'publish', policy: policy.id, version: version.version, at: engine.now() },
      event: aboutVersion('policy.published', place.name, version),
    };
  };
  await changeVersion(engine, by, place, decide, { also: inSequence(also, satisfiable), needed: 'publish-policies' });
  return { alone: alone() };
}

/** Each of them costs time at every request. */
const maxShadows = 10;

/** Runs a version in shadow mode, in which it sees real requests and decides none; null ends that. */
export async function setShadow(engine: PolicyEngine, user: User, name: string, version: number | null): Promise<void> {
  const writing = await writingIn(engine, user);
  const decide = (policy: PolicyRecord | null, watching: Watching[]): PolicyChange | null => {
    writing.check(policy);
    if (!policy) throw new Problem('not-found');
    if (version !== null)
      assertNoObjection(
        againstVersion.shadow(user, findVersion(policy, version), policy, undefined, engine.environment),
      );
    if (policy.shadowVersion === version) return null;
    if (version !== null) assertFewShadows(watching, writing.sees);
    const intent: PolicyIntent = {
      write: { type: 'shadow', policy: policy.id, version },
      event: { type: 'policy.shadowed', policy: name, version },
    };
    return recorded(user, intent, engine.now());
  };
  await engine.policies.changeShadow(name, decide, writing.also);
}

type Watching = VersionPlace & { spaceId: SpaceId | null };

/** Names the versions that this person sees, and counts the others. */
function assertFewShadows(watching: Watching[], sees: (space: SpaceId | null) => boolean): void {
  if (watching.length < maxShadows) return;
  const shown = watching.filter(({ spaceId }) => sees(spaceId)).map(({ name, version }) => policyPin(name, version));
  const hidden = watching.length - shown.length;
  const running = [...shown, ...(hidden > 0 ? [`${hidden} of other spaces`] : [])].join(', ');
  throw new Problem('not-now', {
    detail: `Stop one version in shadow mode first: ${running} are running, and ${maxShadows} is the limit.`,
  });
}
