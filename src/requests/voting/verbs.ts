import type { z } from 'zod';
import { withDefaults } from '#platform/form/answer';
import type { VoteAction } from '../asking/contract/elicitation.ts';
import type { ElicitationId, Id, UserId, PasskeyId } from '#platform/model/id';
import type { User, SignedInUser, Factor } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import type { RefusalCode } from '../inbox/contract/refusal.ts';
import type { ElicitationRow, NewGrant, NewVote } from '../state/store/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { visibleOf, assertVisible } from '../inbox/verbs/visibility.ts';
import { provenRow } from '../state/verbs/proven-row.ts';
import {
  policyTerms,
  against,
  assertNoObjection,
  type PolicyTerms,
  takeTurn,
  assertFreshSignIn,
  assertRead,
  assertSeen,
} from '../state/verbs/permissions.ts';
import { openQuestion, acceptedContent, cells, sealDecision, openVerdict } from '../asking/verbs/question.ts';
import {
  lastVote,
  releasedBy,
  reopenedBy,
  withoutVote,
  currentStage,
  verdictWith,
  type ElicitationContext,
  type EventOf,
} from '../machine/rules/machine.ts';
import {
  changeElicitation,
  refreshForPermissions,
  assertNotDenied,
  currentElicitation,
  askedIn,
  factsOf,
} from '../state/verbs/change.ts';
import { newId } from '#platform/crypto/random';
import { step } from '../machine/rules/step.ts';
import type { ChatChannel } from '#notify/chat/contract';
import { type Assurance, freshFor, isFresh } from '#access/sign-in/contract/authentication';
import { meaningsOf, votersIn, usersOf, type Ballot, type Stage } from './contract/stages.ts';
import { isTyped, textToType } from '../facts/contract/orders.ts';
import { faultOfJustification } from '#policies/document/rules/stages';
import type { DeviceSignature, BulkVote, BulkVoteResult } from './contract/votes.ts';
import { actingFor, standInFor, votingFor } from '#people/delegations/verbs';
import { currentUser, assertProof } from '#access/sign-in/verbs/sessions';
import { newGrant } from '../grants/verbs.ts';
import type { Intent } from '../state/verbs/intent.ts';
import { policyOfLook } from '#policies/verbs/look';
import { makerAmong } from '../asking/verbs/requester.ts';
import { assertNotStopped } from '../stops/verbs.ts';
import { ownServer } from '#platform/model/names';
import type { DecisionBasis, Users as StageUsers } from '#policies/deciding/verbs/rules';
import { voteChallenge } from '#audit/tree/rules/notes';
import { canonicalJson, sha256Hex } from '#platform/crypto/digest';
import { checkAssertion } from '#access/passkeys/rules';
import { isVouched, isVouchedFor, type Presence } from '#people/directory/contract/presence';
import type { StoredPasskey } from '#access/passkeys/store';
import {
  newChallenge,
  relyingParty,
  takeChallenge,
  neededPresence,
  maySign,
  signingPasskeys,
  refusedPasskey,
  usePasskey,
} from '#access/passkeys/verbs';
import { freezeStage, openWindows, resolveStages, type Resolution } from '#policies/deciding/rules/stages';
import type { StagePlan, Verdict } from '#policies/document/rules/verdict';
import type { CastVote } from '../inbox/contract/inbox.ts';

/**
 * Votes on several requests, each bound to what the person saw; returns each result. All can be declined together.
 * Only requests of one tool under one policy are approved together, and none of high risk or whose policy asks who approves.
 */
export async function castVotes(
  engine: Engine,
  user: User & Partial<SignedInUser>,
  { items, action, comment }: BulkVote,
): Promise<BulkVoteResult['results']> {
  const stored = await Promise.all(items.map(({ id }) => provenRow(engine, id)));
  const visible = await visibleOf(
    engine,
    user,
    stored.flatMap((row) => row ?? []),
    'content',
  );
  const rows = stored.map((row) => (row && visible.has(row.id) ? row : null));
  if (action === 'accept') assertAlike(rows);
  const results: BulkVoteResult['results'] = [];
  for (const [at, { id, digest }] of items.entries()) {
    const row = rows[at];
    const vote = async (): Promise<ElicitationRow> => {
      if (!row) throw new Problem('not-found');
      if (action === 'accept' && row.risk === 'high')
        throw new Problem('forbidden', { refusal: { code: 'high-risk-alone' } });
      if (action === 'accept' && policyTerms(engine, row).presence.needed !== 'none')
        throw new Problem('forbidden', { refusal: { code: 'presence-alone' } });
      const { schema } = openQuestion(engine.ring, row);
      const content = action === 'accept' && schema ? { content: withDefaults(schema) } : {};
      return castVote(engine, user, id, { action, digest, comment, ...content });
    };
    results.push(await vote().then(({ status }) => ({ id, status, problem: null }), failed(id, row)));
  }
  return results;
}

function assertAlike(rows: (ElicitationRow | null)[]): void {
  const kinds = rows.flatMap((row) => (row ? [JSON.stringify([row.serverId, row.tool, row.policy])] : []));
  if (new Set(kinds).size < 2) return;
  const message = 'Choose requests of one tool under one policy.';
  throw invalidInput(['items'], message);
}

/** A Problem affects only its own request; any other error stops the rest. */
const failed =
  (id: ElicitationId, row: ElicitationRow | null | undefined) =>
  (error: unknown): BulkVoteResult['results'][number] => {
    if (!(error instanceof Problem)) throw error;
    const detail = error.errors[0]?.message ?? error.message;
    const refusal = error.refusal === null ? {} : { refusal: error.refusal };
    return { id, status: row?.status ?? null, problem: { code: error.code, detail, ...refusal } };
  };

/**
 * Withdraws this person's last vote while the request is open: undecided, or approved and waiting for its start. If
 * only this refusal held up a stage, the stage completes at once, with the answer of its last approval. Problem
 * `not-now` if there is no vote.
 */
export async function withdrawVote(engine: Engine, user: User, id: ElicitationId): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertNoObjection(against.withdrawVote(user, row));
    const { context } = row.state;
    const stage = lastVote(context, user.id)?.stage ?? context.stage;
    const released = releasedBy(context, user.id);
    const after = withoutVote(context, user.id);
    const reopens = reopenedBy(context, after);
    const next = released ? await nextStage(engine, await basis.users(), row, after.votes, now) : undefined;
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'withdraw', by: user.id, next, at: now },
      ...(released?.answer !== undefined && { answer: Buffer.from(released.answer, 'base64') }),
      says: (fields) => ({
        ...fields,
        type: 'elicitation.vote-withdrawn',
        stage,
        ...(reopens !== null && { reopens }),
      }),
    };
  });
}

/** A person who did not sign in with a password has not proven one. */
type Voter = User & Partial<SignedInUser>;

export interface Vote extends z.output<typeof CastVote> {
  /** Given for a vote that may be sent again, so that it is stored once. */
  id?: Id<'vote'> | undefined;
  /** The chat in which it was cast; absent in the console. */
  chat?: ChatChannel | null;
}

/**
 * Counts one person's vote, bound to what they saw; the only way to an approval. Racing votes are decided one after the
 * other, and the loser learns who decided.
 */
export async function castVote(engine: Engine, user: Voter, id: ElicitationId, vote: Vote): Promise<ElicitationRow> {
  let voter: Voter | null = null;
  const presence = createPresence(engine, vote);
  try {
    return await changeElicitation(engine, id, async (row, now, basis) => {
      await basis.users();
      voter = await currentVoter(engine, user, voter, basis);
      assertSeen(row, vote.digest);
      assertNotStopped(await basis.stops(), row);
      const intent = await voteIntent(engine, basis, { user: voter, row, vote: { ...vote, presence }, now });
      return { ...intent, ...(voter.proof && { session: voter.proof.hash }) };
    });
  } catch (error) {
    if (error instanceof Problem)
      await assertVisible(engine, voter ?? user, await engine.reader.elicitation(id), 'notice');
    if (error instanceof Problem && error.code === 'already-closed') throw await whoDecided(engine, id, user);
    throw error;
  }
}

/**
 * The voter, as of the epoch of the people: as their session was last read, if that was at this epoch and it is the
 * first attempt. The statement that stores the vote checks the session again.
 */
async function currentVoter(
  engine: Engine,
  user: Voter,
  last: Voter | null,
  basis: Pick<DecisionBasis, 'epoch'>,
): Promise<Voter> {
  const isCurrent = last === null && user.proof?.users === basis.epoch().users;
  return isCurrent ? user : currentUser(engine, user);
}

const needsComment = (): Problem =>
  invalidInput(['comment'], 'Give a reason, so that the requester knows what to change.');

/** A vote under judgement. */
interface Casting {
  user: Voter;
  row: ElicitationRow;
  vote: Vote & { presence: CheckPresence };
  now: number;
}

async function voteIntent(engine: Engine, basis: DecisionBasis, casting: Casting): Promise<Intent> {
  const { ring } = engine;
  const { user, row, vote, now } = casting;
  const { action, allowFor } = vote;
  const users = await basis.users();
  const { ballot, stageNow } = await admitBallot(engine, users, casting);
  const terms = policyTerms(engine, row);
  const turn = await assertTermsAllow(engine, basis, casting, terms);
  const content = action === 'accept' ? acceptedContent(openQuestion(ring, row).schema, vote) : undefined;
  await assertNoDeadEnd(engine, users, row, ballot, now);
  const next = await stageAfter(engine, users, row, { ballot, stageNow, now });
  const answer = sealDecision(ring, row, { ...(content && { content }), comment: vote.comment || null });
  const kept = keptAnswer(row.state.context, action, answer);
  const event = { type: 'vote', ...ballot, stageNow, next, allowFor, ...kept, at: now } as const;
  const signed = await vote.presence(user, row, terms, now);
  const grant = grantOf(engine, user, row, { terms, event, now });
  const stored = storedVote(ring, casting, signed?.text ?? null);
  const isLast = action === 'accept' && step(row.state, event).status === 'accepted';
  const within = isLast ? await policyOfLook(engine, user, row, content) : undefined;
  return {
    actor: { kind: 'user', id: user.id },
    event,
    ...(grant && { grant }),
    ...(turn && { turn }),
    ...(within && { within }),
    vote: stored,
    answer,
    says: (fields) => ({
      ...fields,
      type: 'elicitation.voted',
      vote: stored.id,
      stage: stored.stage,
      action,
      seen: vote.digest,
      ...(stageNow && action === 'accept' && { meanings: meaningsOf(stageNow, event) }),
      ...(vote.for && { for: vote.for }),
      ...identified(user, vote),
      ...(signed && { device: signed.device }),
      ...(ballot.issuer && { issuer: ballot.issuer }),
      ...makerAmong(engine, row, ballot),
      ...(vote.chat && { channel: 'chat' }),
      ...(allowFor !== undefined && { allowFor }),
      ...(grant && { grant: { id: grant.id, expiresAt: grant.expiresAt } }),
    }),
  };
}

type Users = Awaited<ReturnType<DecisionBasis['users']>>;

/** The vote as the machine counts it, in the stage as its people are now; refuses someone who may not vote there. */
async function admitBallot(engine: Engine, users: Users, { user, row, vote, now }: Casting) {
  const voter = await voterFor(engine, user, row, vote.for);
  const issuer = voter.credentialIssuer;
  const ballot = { by: user.id, for: vote.for, ...(issuer && { issuer }), action: vote.action };
  const persons = [ballot, ...row.state.context.votes].flatMap(votersIn);
  const { current, requesters } = refreshForPermissions(engine, row, users, now, persons);
  assertNoObjection(against.vote(voter, current, { requesters }, vote.for));
  return { ballot, stageNow: currentStage(current.state.context) };
}

/** Refuses what the policy does not take, or an approval of what was not read; else the voter's turn, if it paces approvals. */
async function assertTermsAllow(
  engine: Engine,
  basis: DecisionBasis,
  { user, row, vote, now }: Casting,
  terms: PolicyTerms,
) {
  const { action } = vote;
  if (action === 'decline' && !vote.comment) throw needsComment();
  if (action === 'accept') {
    assertRead(engine, user, row, vote, now);
    await assertNotDeniedNow(engine, row, basis, now);
    assertTyped(engine, row, terms, vote);
    // Giving power needs every factor of the second administrator. A signature of their passkey is that.
    if (row.serverId === ownServer.id && !vote.device) assertProof(engine, user, 'every-factor');
  }
  assertFreshSignIn(user, terms.freshSignIn, now);
  assertJustified(terms, vote);
  return action === 'accept' ? takeTurn(engine, user, terms, now) : null;
}

/** The stage that begins if this vote completes the one that runs. */
async function stageAfter(
  engine: Engine,
  users: Users,
  row: ElicitationRow,
  { ballot, stageNow, now }: Awaited<ReturnType<typeof admitBallot>> & { now: number },
) {
  const { context } = row.state;
  const isComplete = ballot.action === 'accept' && verdictWith(context, { ...ballot, stageNow }) === 'complete';
  return isComplete ? nextStage(engine, users, row, [...context.votes, ballot], now) : undefined;
}

/** The voter's identification: in the console by a password or a link, in a chat as its member. */
function identified(
  { authentication }: Voter,
  { chat }: Vote,
): { factor: Factor; assurance?: Assurance; authenticatedAt?: number; acr?: string } {
  if (chat) return { factor: chat };
  if (!authentication) return { factor: 'link' };
  const { method, assurance, at, acr } = authentication;
  return { factor: method, assurance, authenticatedAt: at, ...(acr !== undefined && { acr }) };
}

/** People can vote while a published policy cannot be read: the claim judges again, and waits until it can be read. */
async function assertNotDeniedNow(
  engine: Engine,
  row: ElicitationRow,
  basis: DecisionBasis,
  now: number,
): Promise<void> {
  const rules = await basis.rules().catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'policy-unreadable') return null;
    throw error;
  });
  if (rules) assertNotDenied(engine, row, rules, now);
}

/** If one of several groups is enough, an approval may count only after a refusal is withdrawn. */
const keptAnswer = (context: ElicitationContext, action: VoteAction, answer: Buffer): { answer?: string } =>
  action === 'accept' && currentStage(context)?.complete === 'any' ? { answer: answer.toString('base64') } : {};

/**
 * The standing approval that everyone who approved allows, for the shortest time, if this vote completes the approval.
 * If one of them allows none, there is none.
 */
function grantOf(
  { ring }: Engine,
  user: User,
  row: ElicitationRow,
  { terms, event, now }: { terms: PolicyTerms; event: EventOf<'vote'>; now: number },
): NewGrant | null {
  if (event.allowFor === undefined) return null;
  const wrong = (message: string) => invalidInput(['allowFor'], message);
  if (event.action !== 'accept') throw wrong('Approve to give a standing approval: other votes cannot.');
  if ((row.state.context.notBefore ?? 0) > now)
    throw wrong('Approve this once only: a request with a later start has no standing approval.');
  const { state, status } = step(row.state, event);
  const durations = state.context.votes.filter(({ action }) => action === 'accept').map(({ allowFor }) => allowFor);
  const shortest = Math.min(...durations.filter((duration) => duration !== undefined));
  const grant = newGrant(ring, row, user.id, terms.grant, shortest, now);
  return status === 'accepted' && !durations.includes(undefined) ? grant : null;
}

function assertJustified({ justification }: PolicyTerms, { comment }: Vote): void {
  const message = faultOfJustification(justification.approver, comment ?? null);
  if (message) throw invalidInput(['comment'], message);
}

function assertTyped({ ring }: Engine, row: ElicitationRow, { confirmation }: PolicyTerms, { typed = [] }: Vote): void {
  if (confirmation.length === 0) return;
  const args = JSON.parse(openQuestion(ring, row).arguments) as Record<string, unknown>;
  const texts = confirmation.map((rule) => textToType(rule, args, row.tool));
  const missing = texts.filter((text) => !typed.some((answer) => isTyped(text, answer)));
  const errors = missing.map((text) => ({ path: ['typed'], message: `Type ${text} to approve.` }));
  if (errors.length > 0) throw new Problem('INVALID_INPUT', { errors });
}

/** The voter as the vote counts; problem `forbidden` if the absent person has not let them. */
async function voterFor(engine: Engine, user: Voter, row: ElicitationRow, absent?: UserId): Promise<User> {
  if (absent === undefined) return user;
  const standIn = standInFor(await actingFor(engine, user, row), absent);
  if (!standIn) throw new Problem('forbidden', { refusal: { code: 'not-delegated' } });
  return votingFor(user, standIn);
}

function storedVote(ring: Engine['ring'], { user, row, vote }: Casting, signature: string | null): NewVote {
  const { id = newId('vote'), action, comment, digest } = vote;
  return {
    id,
    userId: user.id,
    forId: vote.for ?? null,
    revision: row.revision,
    stage: row.state.context.stage,
    action,
    digest,
    comment: comment ? cells.comment.seal(ring, row, id, comment) : null,
    signature,
  };
}

/** The problem of a late vote, with the name of who decided first. */
async function whoDecided(engine: Engine, id: ElicitationId, voter: User): Promise<Problem> {
  const row = await engine.reader.elicitation(id);
  const decider = row && deciderOf(row);
  const name = decider && (await engine.users.names([decider])).get(decider);
  const isApproved = row?.status === 'accepted';
  if (!name || !(isApproved || row.status === 'declined'))
    return new Problem('already-closed', { refusal: { code: 'has-ended' } });
  const own: RefusalCode = isApproved ? 'approved-by-you' : 'declined-by-you';
  const other: RefusalCode = isApproved ? 'approved-by-other' : 'declined-by-other';
  return new Problem('already-closed', {
    refusal: decider === voter.id ? { code: own } : { code: other, values: { name } },
  });
}

/** The person whose vote ended it, if one did; a timer may also refuse it, or start it after approval. */
const deciderOf = ({ state, closedAt }: ElicitationRow): string | null =>
  state.context.breakGlassBy ?? state.context.votes.find(({ at }) => at === closedAt)?.by ?? null;

/**
 * Refuses an approval that would leave too few people for a later stage, if earlier voters may not vote again and there
 * are enough voters without this person: problem `unsatisfiable`.
 */
async function assertNoDeadEnd(
  engine: Engine,
  users: Pick<StageUsers, 'directory'>,
  row: ElicitationRow,
  ballot: Ballot,
  now: number,
): Promise<void> {
  const plans = plansAfter(engine, row);
  if (ballot.action !== 'accept' || !plans.some(({ separation }) => separation.earlierVoters)) return;
  const earlier = row.state.context.votes.flatMap(usersOf);
  const resolve = (voters: string[]) => resolveNow(engine, users, row, plans, voters, now);
  const resolution = await resolve([...earlier, ...usersOf(ballot)]);
  if (resolution.ok || !(await resolve(earlier)).ok) return;
  throw new Problem('unsatisfiable', {
    detail: `Leave this vote to someone else: a later stage needs yours. ${resolution.reason}`,
  });
}

/** The parts of a vote that its device signs, as its person sends them. */
interface VoteToSign {
  action: VoteAction;
  digest: string;
  for?: UserId | undefined;
  allowFor?: number | undefined;
}

/** Begins a signed vote, on the request as it is now, in this session. */
export async function beginSignedVote(
  engine: Engine,
  user: SignedInUser,
  secret: string,
  id: ElicitationId,
  vote: VoteToSign,
) {
  const row = await currentElicitation(engine, id);
  await assertVisible(engine, user, row, 'content');
  assertSeen(row, vote.digest);
  const party = relyingParty(engine);
  const passkeys = await signingPasskeys(engine, user);
  if (passkeys.length === 0) throw new Problem('passkey-needed');
  const nonce = await newChallenge(engine, 'vote', secret);
  return { party, nonce, challenge: challengeOf(row, user, vote, nonce), passkeys };
}

const challengeOf = ({ revision, state }: ElicitationRow, { id: voter }: User, vote: VoteToSign, nonce: string) =>
  voteChallenge({ ...vote, revision, stage: state.context.stage, voter, nonce });

/** The stored part of a vote that a device signed. */
interface StoredSignature {
  text: string;
  device: { passkey: PasskeyId; signature: string };
}

/**
 * Refuses an approval without the presence that it needs of this person, and every vote with a signature that does not hold.
 * A signature of the person's device is enough for all of them.
 * What a device signed counts once: a vote that lost a race and is decided again must still be what was signed.
 */
type CheckPresence = (
  user: Voter,
  row: ElicitationRow,
  terms: Pick<PolicyTerms, 'presence'>,
  now: number,
) => Promise<StoredSignature | null>;

function createPresence(engine: Engine, vote: VoteToSign & { device?: DeviceSignature | undefined }): CheckPresence {
  const { device, action } = vote;
  let used: StoredPasskey | null = null;
  return async (user, row, { presence }, now) => {
    if (!device && action === 'accept') assertPresent(await neededPresence(engine, user, row, presence), user, now);
    if (!device) return null;
    const challenge = challengeOf(row, user, vote, device.nonce);
    if (used) await assertSignatureHolds(engine, device, challenge, used);
    else used = await firstUse(engine, user, device, challenge);
    const text = canonicalJson(device);
    return { text, device: { passkey: used.id, signature: sha256Hex(text) } };
  };
}

function assertPresent(needed: Presence, user: Voter, now: number): void {
  if (needed === 'none') return;
  if (needed === 'passkey') throw new Problem('passkey-needed');
  if (!isVouched(needed)) return assertFreshSignIn(user, freshFor, now);
  if (isFresh(user.authentication, freshFor, now) && isVouchedFor(needed, user.authentication)) return;
  throw new Problem('fresh-sign-in-needed', { refusal: { code: 'acr-needed', values: { acr: needed.acr } } });
}

async function firstUse(
  engine: Engine,
  user: Voter,
  { nonce, assertion }: DeviceSignature,
  challenge: string,
): Promise<StoredPasskey> {
  const isOurs = user.proof && (await takeChallenge(engine, nonce, 'vote', user.proof.hash));
  if (!isOurs) throw refusedPasskey('passkey-challenge');
  const { passkey } = await usePasskey(engine, assertion, challenge, user.id);
  if (!maySign(passkey, user)) throw refusedPasskey('passkey-unknown', passkey);
  return passkey;
}

async function assertSignatureHolds(
  engine: Engine,
  { assertion }: DeviceSignature,
  challenge: string,
  passkey: StoredPasskey,
): Promise<void> {
  if (!(await engine.passkeys.byCredential(assertion.credentialId))) throw refusedPasskey('passkey-unknown', passkey);
  const { publicKey } = passkey;
  const checked = await checkAssertion(assertion, { challenge, party: relyingParty(engine), publicKey });
  if ('fault' in checked) throw refusedPasskey(checked.fault, passkey);
}

/**
 * The stage after the current one, which these votes complete, with its current persons; undefined if there is none.
 * The policy is the one pinned by the elicitation; the people are the current ones. After the last stage comes one for
 * each freeze that has begun since the opening.
 */
export async function nextStage(
  engine: Engine,
  users: Pick<StageUsers, 'directory'>,
  row: ElicitationRow,
  votes: readonly Ballot[],
  now: number,
): Promise<Stage | undefined> {
  const { stages, stage } = row.state.context;
  const next = stages[stage + 1];
  if (next?.added !== undefined) return next;
  const plan = next ? plansAfter(engine, row)[0] : newFreeze(engine, row, now);
  const voters = votes.flatMap(usersOf);
  return plan ? ((await resolveNow(engine, users, row, [plan], voters, now)).stages[0] ?? next) : next;
}

/** Plans of the pinned policy for the stages after the current one. */
function plansAfter(engine: Engine, row: ElicitationRow): StagePlan[] {
  const { stages, stage } = row.state.context;
  const planned = stages.slice(0, stage + 1).filter(({ added }) => added === undefined).length;
  return (openVerdict(engine.ring, row) as Partial<Verdict> | null)?.stages?.slice(planned) ?? [];
}

/** The approved call would start within a freeze that has no stage. */
function newFreeze(engine: Engine, row: ElicitationRow, now: number): StagePlan | undefined {
  const { stages, notBefore } = row.state.context;
  return openWindows(policyTerms(engine, row).freeze, Math.max(now, notBefore ?? 0))
    .map(freezeStage)
    .find(({ name }) => !stages.some((stage) => stage.name === name));
}

/** These stages with their current persons, after these people have voted. */
async function resolveNow(
  engine: Engine,
  { directory }: Pick<StageUsers, 'directory'>,
  row: ElicitationRow,
  plans: StagePlan[],
  voters: string[],
  now: number,
): Promise<Resolution> {
  const facts = factsOf(askedIn(engine, row), directory, engine, now);
  const isEditor = plans.some(({ separation }) => separation.editor);
  const editors = isEditor ? await engine.reader.editors(row.id) : [];
  return resolveStages(plans, directory, facts, { voters, editors });
}
