import { retryOnConflict } from '#platform/nodes/verbs/retry';
import { auditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { principalHashes, type KeyRing, principalHash } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { everyAccount } from '#people/accounts/contract';
import { risks } from '../asking/contract/elicitation.ts';
import { usersOf } from '../voting/contract/stages.ts';
import type { ServerCaller, User, Requester } from '#people/directory/contract/user';
import type { GrantRow, GrantRecord } from './store/grants.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';
import { defaultAnswer, readable, lapseOf } from '../state/verbs/change.ts';
import type { JudgedRequest } from '#policies/deciding/verbs/judge';
import type { OpenRequest } from '#policies/deciding/verbs/open';
import { countedMaker, usersKnownAs } from '../asking/verbs/requester.ts';
import type { CurrentRules } from '#policies/deciding/rules/standing';
import { provenStep } from '#connect/outcomes/verbs/proven';
import { standsFor } from '../facts/contract/proven.ts';
import { openGrant, openQuestion, cells } from '../asking/verbs/question.ts';
import { assertMay } from '#people/directory/verbs/may';
import { identitiesOf } from '#policies/document/rules/directory';
import type { GrantId, UserId } from '#platform/model/id';
import { Problem, invalidInput } from '#platform/model/problem';
import { viewerOf, assertVisible, visibleOf } from '../inbox/verbs/visibility.ts';
import { canonicalJson } from '#platform/crypto/digest';
import { minus } from '#platform/model/decimal';
import { identityKey } from '#platform/model/identity';
import type { GrantTerms } from '#policies/terms/grant';
import type { ElicitationRow, NewGrant } from '../state/store/row.ts';
import type { GrantBinding } from '../state/verbs/intent.ts';

/** One use of a standing approval, taken in the statement that opens the request. */
export interface GrantUse {
  row: GrantRow;
  /** The amount that counts against the budget. */
  amount: number;
}

/**
 * The standing approval this request falls under, or null: under the same version of the policy, for the same requester
 * and agent, the same tool and arguments. Never above the ceiling, never in a freeze, never for a form that needs a
 * person, and never if those who allowed it could no longer do so. If its tool has changed, it is suspended.
 */
export async function findGrant(
  engine: Engine,
  server: ServerCaller,
  request: OpenRequest,
  { judgement, checked, now, snapshot }: JudgedRequest,
): Promise<GrantUse | null> {
  const { verdict } = judgement;
  const { grant: terms } = verdict;
  if (!terms || verdict.outcome !== 'require' || verdict.frozen.length > 0) return null;
  if (request.notBefore !== undefined) return null; // nothing would delay it until its start
  if (risks.indexOf(verdict.risk) > risks.indexOf(terms.ceiling)) return null;
  if (defaultAnswer({ mode: request.mode, schema: checked.schema }) === null) return null;
  const requester = principalHashes(engine.ring, server.id, request.requester);
  const records = await engine.grants.inForce(server.id, request.tool.name, requester, now);
  if (records.length === 0) return null;
  const rules = await snapshot.rules();
  const maker = countedMaker(server.maker, server.name, engine.environment);
  const askers = new Set([
    ...usersKnownAs(rules.directory, request.requester),
    ...everyAccount(rules.directory.accounts, maker ? [maker] : []),
  ]);
  for (const grant of records) {
    const amount = await amountOf(engine, grant, request, verdict.policy);
    if (amount === null || amount > Number(grant.budgetLeft ?? Infinity)) continue;
    if (await doesGrantStand(engine, grant, { askers, present: rules, now })) return { row: grant, amount };
  }
  return null;
}

/**
 * Would the approval that it came from still be given by the same votes, people and policies, and by no one who asks
 * now?
 */
export async function doesGrantStand(
  engine: Engine,
  { elicitationId }: Pick<GrantRecord, 'elicitationId'>,
  { askers, present, now }: { askers: ReadonlySet<string>; present: CurrentRules; now: number },
): Promise<boolean> {
  const source = await engine.reader.elicitation(elicitationId);
  if (source === null || lapseOf(engine, source, present, now) !== null) return false;
  const accepting = source.state.context.votes.filter(({ action }) => action === 'accept');
  return !accepting.flatMap(usersOf).some((user) => askers.has(user));
}

async function amountOf(
  engine: Engine,
  grant: GrantRecord,
  request: OpenRequest,
  policy: string,
): Promise<number | null> {
  if (grant.policy !== policy) return null;
  if (!(await isAtPlace(engine, grant, request))) return null;
  if (!(await isOfTool(engine, grant, request.tool))) {
    await suspend(engine, grant);
    return null;
  }
  const binding = readable(() => openGrant(engine.ring, grant));
  return binding && amountWithin(binding, request.requester, request.arguments);
}

/**
 * Was it given for a server that reaches the same, after steps for which those of this call stand? Under one name there may be
 * several servers, so that this ends nothing. That the steps are of this call is checked before anything is stored.
 */
async function isAtPlace(
  engine: Engine,
  grant: GrantRecord,
  { tool: { reaches }, after = [] }: OpenRequest,
): Promise<boolean> {
  const source = await engine.reader.elicitation(grant.elicitationId);
  if (source === null) return false;
  const { tool, proven = [] } = openQuestion(engine.ring, source);
  if (tool.reaches !== reaches || proven.length > after.length) return false;
  const rows = await Promise.all(after.slice(0, proven.length).map((id) => engine.reader.elicitation(id)));
  const steps = rows.map((row) => (row && provenStep(engine.ring, row)) ?? undefined);
  return proven.every((step, at) => standsFor(steps[at], step));
}

/** Was it given for the tool as it is declared and described now? */
async function isOfTool(engine: Engine, grant: GrantRecord, tool: OpenRequest['tool']): Promise<boolean> {
  const { title = null, description = null, schemaDigest = null } = tool;
  if (schemaDigest !== grant.toolSchema) return false;
  const source = await engine.reader.elicitation(grant.elicitationId);
  const approvedTool = source && openQuestion(engine.ring, source).tool;
  return approvedTool?.title === title && approvedTool.description === description;
}

/** The standing approval was for an earlier version of the tool. */
async function suspend(engine: Engine, grant: GrantRecord): Promise<void> {
  const { id, serverId, elicitationId: elicitation } = grant;
  const event = { type: 'grant.suspended', ...requestFacts(grant), grant: id, elicitation } as const;
  const entry = auditEntry(newId('entry'), timeAfter(engine, grant.createdAt), { kind: 'server', id: serverId }, event);
  await engine.grants.change(grant, { suspendedAt: entry.at }, entry);
}

const shownGrants = 500;

/** The standing approvals from requests this person may know of, the latest first; with what each is bound to, if they may read its request. */
export async function listGrants(engine: Engine, user: User) {
  const viewer = await viewerOf(engine, user);
  const { grants, isCut } = await engine.grants.list(viewer, await hashesOf(engine, user), engine.now(), shownGrants);
  return { grants: await showGrants(engine, user, grants), isCut };
}

/** Hashes under which this person's own requests are stored, at every server. */
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
  return retryOnConflict(async () => {
    const grant = await findOwn(engine, user, id);
    if (grant.revokedAt !== null) return showOne(engine, user, id);
    const { elicitationId: elicitation } = grant;
    const event = { type: 'grant.revoked', ...requestFacts(grant), grant: id, elicitation } as const;
    const entry = entryBy(engine, user, grant, event);
    const isRevoked = await engine.grants.change(grant, { revokedAt: entry.at, revokedBy: user.id }, entry);
    return isRevoked ? showOne(engine, user, id) : null;
  });
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

/** Shows its binding only to readers of the request that it came from: the binding is content of that request. */
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

/**
 * The standing approval an approver gives with an approval, within the limits of the policy. If the policy names no
 * arguments that must stay the same, all of them must. INVALID_INPUT if the policy permits none, or not for so long.
 */
export function newGrant(
  ring: KeyRing,
  row: ElicitationRow,
  by: UserId,
  allowed: GrantTerms | null,
  seconds: number,
  now: number,
): NewGrant {
  const wrong = (message: string) => invalidInput(['allowFor'], message);
  const { requester, arguments: stored, tool } = openQuestion(ring, row);
  if (!allowed) throw wrong(formatNone(requester, row));
  if (seconds > allowed.longest)
    throw wrong(`Choose a shorter time: the policy permits ${allowed.longest} milliseconds at most.`);
  const args = JSON.parse(stored) as Record<string, unknown>;
  const counts = allowed.budget?.argument ?? null;
  const binding = bindingOf(requester, args, allowed, counts);
  const spent = counts === null ? 0 : amountIn(args, counts);
  const total = allowed.budget?.total ?? null;
  if (spent === null || (total !== null && spent > total))
    throw wrong('Approve this once only: this request alone exceeds the budget.');
  const id = newId('grant');
  return {
    id,
    serverId: row.serverId,
    tool: row.tool,
    toolSchema: tool.schemaDigest,
    requesterHash: principalHash(ring, row.serverId, requester),
    terms: cells.grant.seal(ring, row, id, binding),
    userId: by,
    policy: row.policy,
    expiresAt: now + seconds,
    reviewAt: allowed.review === null ? null : now + allowed.review,
    usesLeft: allowed.uses,
    budgetLeft: total === null ? null : minus(total, spent),
  };
}

const formatNone = ({ verified }: Requester, { risk }: ElicitationRow): string =>
  verified || risk === 'low'
    ? 'Approve this once only: the policy permits no standing approval.'
    : 'Approve this once only: the requester is not verified, and the risk is not low.';

function bindingOf(
  { subject, issuer = null, verified, verifiedBy = null, client }: Requester,
  args: Record<string, unknown>,
  { same, review }: GrantTerms,
  counts: string | null,
): GrantBinding {
  const isWhole = same.length === 0;
  const names = isWhole ? Object.keys(args).filter((name) => name !== counts) : same;
  // An absent argument must stay absent.
  const bound = Object.fromEntries(names.map((name) => [name, args[name] ?? null]));
  return { subject, issuer, verified, verifiedBy, agent: client?.name ?? null, same: bound, isWhole, counts, review };
}

/** The amount of the budget this request would use, or null if it does not fit the binding. */
function amountWithin(binding: GrantBinding, requester: Requester, args: Record<string, unknown>): number | null {
  const { subject, issuer, verified, verifiedBy, agent, same, isWhole, counts } = binding;
  if (identityKey(requester) !== identityKey({ issuer, subject })) return null;
  if (requester.verified !== verified || (requester.verifiedBy ?? null) !== verifiedBy) return null;
  if ((requester.client?.name ?? null) !== agent) return null;
  const isSame = Object.entries(same).every(
    ([name, value]) => canonicalJson(args[name] ?? null) === canonicalJson(value),
  );
  const isMore = isWhole && Object.keys(args).some((name) => name !== counts && !Object.hasOwn(same, name));
  if (!isSame || isMore) return null;
  return counts === null ? 0 : amountIn(args, counts);
}

function amountIn(args: Record<string, unknown>, name: string): number | null {
  const amount = args[name];
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null;
}
