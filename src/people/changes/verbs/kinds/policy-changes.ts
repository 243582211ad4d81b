import type { SpaceId, UserId } from '#platform/model/id';
import { policyPin } from '#policies/contract/policy';
import type { User } from '../../../directory/contract/user.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { findVersion } from '#policies/verbs/draft/change-policy';
import { findSeen } from '#policies/verbs/show';
import type { VersionPlace } from '#policies/verbs/draft/draft-policy';
import { publishPolicies, type PlannedPolicy } from '#policies/verbs/apply/apply-policies';
import { publishVersion, type Publication } from '#policies/verbs/check/review-policy';
import { changeKind } from './change-kind.ts';
import { namedOrNone, ofSpace } from './named.ts';

type Wanted = Publication & {
  document: string;
  authorId: UserId | null;
  reviewerId: UserId | null;
  spaceId: SpaceId | null;
};

/** The version of a policy that decides from now on. */
export const publishingPolicy = changeKind({
  title: 'Publish a policy',
  act: publishVersion,
  facts: (directory, { name, version, published, digest, document, spaceId, ...users }: Wanted) => ({
    policy: name,
    from: published,
    to: version,
    author: namedOrNone(directory, users.authorId),
    reviewer: namedOrNone(directory, users.reviewerId),
    digest,
    document,
    ...ofSpace(directory, spaceId),
  }),
  changeIn: ({ policy, from, to, author, reviewer, space, ...rest }) => ({
    ...rest,
    spaceId: space?.id ?? null,
    name: policy,
    version: to,
    published: from,
    authorId: author?.id ?? null,
    reviewerId: reviewer?.id ?? null,
  }),
  say: ({ policy, from, to }) =>
    `Publish ${policyPin(policy, to)}${from === null ? '' : ` in place of ${policyPin(policy, from)}`}.`,
});

/** What publishing this version now would be. */
export async function publicationOf(engine: Engine, by: User, { name, version }: VersionPlace): Promise<Wanted> {
  const { policy } = await findSeen(engine, by, name);
  const { digest, document, authorId, reviewerId } = findVersion(policy, version);
  return {
    name,
    version,
    published: policy.publishedVersion,
    digest,
    document,
    authorId,
    reviewerId,
    spaceId: policy.spaceId,
  };
}

export interface PoliciesFacts {
  policies: readonly PlannedPolicy[];
}

/** Policies as written in files. Who accepts has reviewed them: no program and no author puts any in force alone. */
export const applyingPolicies = changeKind({
  title: 'Publish policies as written in files',
  act: publishPolicies,
  facts: (_directory, { policies }: PoliciesFacts): PoliciesFacts => ({ policies }),
  changeIn: (facts) => facts,
  say: ({ policies }) => `Put these policies in force, all or none: ${policies.map(formatPlanned).join('; ')}.`,
});

const formatPlanned = ({ name, change, from }: PlannedPolicy): string =>
  [change === 'retired' ? `retire ${name}` : name, from === null ? 'new' : `in place of ${policyPin(name, from)}`].join(
    ', ',
  );
