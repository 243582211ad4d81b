import { assertMay } from '#policies/deciding/verbs/rules';
import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { principalHashes } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { identitiesOf } from '#policies/document/rules/directory';
import type { GrantId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { GrantRecord } from '../store/grants/grants.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { viewerOf } from '../../inbox/verbs/visibility/viewer-of.ts';
import { timeAfter } from '#platform/nodes/verbs/lists';
import { usersKnownAs } from '../../asking/verbs/requester/requesters.ts';
import { readable } from '../../state/verbs/change/readable.ts';
import { openGrant } from '../../asking/verbs/question/sealed-question.ts';
import { assertVisible, visibleOf } from '../../inbox/verbs/visibility/visible-of.ts';

const shownGrants = 500;

/** The standing approvals from requests this person may know of, the latest first; with what each is bound to, if they may read its request. */
export async function listGrants(engine: Engine, user: User) {
  const viewer = await viewerOf(engine, user);
  const { grants, isCut } = await engine.grants.list(viewer, await hashesOf(engine, user), engine.now(), shownGrants);
  return { grants: await showGrants(engine, user, grants), isCut };
}

/** Under which their own requests are stored, at every server. */
async function hashesOf({ ring, directory }: Engine, { id }: User): Promise<Buffer[]> {
  const { users, servers } = await directory.read();
  const identities = users.filter((user) => user.id === id).flatMap(identitiesOf);
  return servers.flatMap((server) => identities.flatMap((identity) => principalHashes(ring, server.id, identity)));
}

async function showGrants(engine: Engine, user: User, grants: GrantRecord[]) {
  const now = engine.now();
  const ids = [...new Set(grants.map(({ elicitationId }) => elicitationId))];
  const rows = (await Promise.all(ids.map((id) => engine.reader.elicitation(id)))).flatMap((row) => row ?? []);
  const visible = await visibleOf(engine, user, rows, 'notice');
  const readable = await visibleOf(engine, user, rows, 'content');
  return grants
    .filter(({ elicitationId }) => visible.has(elicitationId))
    .map((grant) => showGrant(engine, grant, { now, isHidden: !readable.has(grant.elicitationId) }));
}

/** Ends it at once: the next request is asked again. */
export async function revokeGrant(engine: Engine, user: User, id: GrantId) {
  for (;;) {
    const grant = await findOwn(engine, user, id);
    if (grant.revokedAt !== null) return showOne(engine, user, id);
    const { elicitationId: elicitation } = grant;
    const event = { type: 'grant.revoked', ...requestFacts(grant), grant: id, elicitation } as const;
    const entry = entryBy(engine, user, grant, event);
    if (await engine.grants.change(grant, { revokedAt: entry.at, revokedBy: user.id }, entry))
      return showOne(engine, user, id);
  }
}

/**
 * Confirms it, so that it does not lapse; problem `not-now` if it has lapsed, or needs no review. No one confirms what they may
 * read only after giving a reason, and have not: problem `reason-needed`.
 */
export async function reviewGrant(engine: Engine, user: User, id: GrantId) {
  const grant = await findOwn(engine, user, id, 'content');
  const binding = readable(() => openGrant(engine.ring, grant));
  const review = binding?.review ?? null;
  if (!binding || review === null) throw new Problem('not-now', { refusal: { code: 'no-review-due' } });
  const { directory } = await engine.rules.users();
  if (usersKnownAs(directory, binding).has(user.id))
    throw new Problem('forbidden', { refusal: { code: 'own-request' } });
  const reviewAt = Math.min(engine.now() + review, grant.expiresAt);
  const { elicitationId: elicitation } = grant;
  const event = { type: 'grant.reviewed', ...requestFacts(grant), grant: id, elicitation, reviewAt } as const;
  const isInForce = grant.revokedAt === null && (grant.reviewAt ?? 0) > engine.now() && grant.expiresAt > engine.now();
  if (!isInForce || !(await engine.grants.change(grant, { reviewAt }, entryBy(engine, user, grant, event))))
    throw new Problem('not-now', { refusal: { code: 'not-in-force' } });
  return showOne(engine, user, id);
}

async function findOwn(
  engine: Engine,
  user: User,
  id: GrantId,
  field: 'notice' | 'content' = 'notice',
): Promise<GrantRecord> {
  assertMay(user, 'decide');
  const grant = await engine.grants.find(id);
  if (!grant) throw new Problem('not-found');
  await assertVisible(engine, user, await engine.reader.elicitation(grant.elicitationId), field);
  return grant;
}

const entryBy = (engine: Engine, { id }: User, grant: GrantRecord, event: AuditEvent) =>
  auditEntry(newId('entry'), timeAfter(engine, grant.createdAt), { kind: 'user', id }, event);

async function showOne(engine: Engine, user: User, id: GrantId) {
  const grant = await engine.grants.find(id);
  const [shown] = grant ? await showGrants(engine, user, [grant]) : [];
  if (!shown) throw new Problem('not-found');
  return shown;
}

/** What it is bound to is content of the request that it came from. */
function showGrant(engine: Engine, grant: GrantRecord, { now, isHidden }: { now: number; isHidden: boolean }) {
  const { id, tool, policy, createdAt, expiresAt, reviewAt, usesLeft, budgetLeft, elicitationId } = grant;
  const binding = isHidden ? null : readable(() => openGrant(engine.ring, grant));
  return {
    id,
    server: grant.serverName,
    tool,
    policy,
    elicitation: elicitationId,
    by: { id: grant.userId, name: grant.userName },
    isHidden,
    requester: binding?.subject ?? null,
    same: binding?.same ?? {},
    counts: binding?.counts ?? null,
    createdAt,
    expiresAt,
    reviewAt,
    usesLeft,
    budgetLeft: budgetLeft === null ? null : Number(budgetLeft),
    state: stateOf(grant, now),
  };
}

function stateOf(grant: GrantRecord, now: number) {
  if (grant.revokedAt !== null || grant.isVoterGone) return 'revoked' as const;
  if (grant.suspendedAt !== null) return 'suspended' as const;
  if (grant.expiresAt <= now) return 'expired' as const;
  if (grant.reviewAt !== null && grant.reviewAt <= now) return 'lapsed' as const;
  return grant.usesLeft === 0 || Number(grant.budgetLeft ?? 1) === 0 ? ('used-up' as const) : ('in-force' as const);
}
