import { newId } from '#platform/crypto/random';
import { currentStage, verdictWith } from '../../machine/rules/machine/ballots.ts';
import type { ElicitationContext, EventOf } from '../../machine/rules/machine/context.ts';
import { step } from '../../machine/rules/step/step.ts';
import type { ChatChannel } from '#notify/chat/contract';
import type { VoteAction } from '../../asking/contract/elicitation.ts';
import type { ElicitationId, Id, UserId } from '#platform/model/id';
import type { Assurance } from '#access/sign-in/contract/authentication';
import type { User, SignedInUser, Factor } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import type { RefusalCode } from '../../inbox/contract/refusal.ts';
import { meaningsOf, votersIn } from '../contract/quorum/quorum.ts';
import { isTyped, textToType } from '../../facts/contract/facts/typed-confirmation.ts';
import { faultOfJustification } from '#policies/document/rules/stages';
import type { DeviceSignature } from '../contract/bulk-vote/signed-vote.ts';
import type { ElicitationRow, NewGrant, NewVote } from '../../state/store/row/row.ts';
import { acceptedContent, type Answer } from '../../asking/verbs/question/accepted-content.ts';
import { actingFor, standInFor, votingFor } from '#people/delegations/verbs';
import { currentUser } from '#access/sign-in/verbs/sessions';
import { changeElicitation } from '../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { newGrant } from '../../grants/verbs/grant-terms.ts';
import type { Intent } from '../../state/verbs/intent/intent.ts';
import { nextStage } from './next-stage.ts';
import { against, assertNoObjection } from '../../state/verbs/permissions/permissions.ts';
import { policyTerms, type PolicyTerms } from '../../state/verbs/permissions/policy-terms.ts';
import { makerAmong } from '../../asking/verbs/requester/requesters.ts';
import { assertNotStopped } from '../../stops/verbs/assert-not-stopped.ts';
import { assertNoDeadEnd } from './assert-no-dead-end.ts';
import { ownServer } from '#platform/model/names';
import { assertProof } from '#access/sign-in/verbs/sessions';
import { takeTurn, assertFreshSignIn, assertRead, assertSeen } from '../../state/verbs/permissions/assert-vote.ts';
import { createPresence, type CheckPresence } from './sign-vote.ts';
import { refreshForPermissions, assertNotDenied } from '../../state/verbs/change/revalidate.ts';
import type { DecisionBasis } from '#policies/deciding/verbs/rules';
import { assertVisible } from '../../inbox/verbs/visibility/visible-of.ts';
import { cells, openQuestion, sealDecision } from '../../asking/verbs/question/sealed-question.ts';

/** A person who did not sign in with a password has not proven one. */
type Voter = User & Partial<SignedInUser>;

export interface Vote {
  /** Given for a vote that may be sent again, so that it is stored once. */
  id?: Id<'vote'> | undefined;
  action: VoteAction;
  content?: Answer['content'];
  comment?: string | undefined;
  /** The person the voter votes for. */
  for?: UserId | undefined;
  /** Milliseconds for which the same may run without asking again. */
  allowFor?: number | undefined;
  /** The action digest of what the person saw. */
  digest: string;
  /** The proof of when they saw it, from the page. */
  shown?: string | undefined;
  /** JSON Pointers of the long values that they opened. */
  opened?: string[] | undefined;
  /** What they typed because the policy requires it. */
  typed?: string[] | undefined;
  /** What the voter's passkey signed. */
  device?: DeviceSignature | undefined;
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
 * Who votes, as of the epoch of the people: as their session was last read, if that was at this epoch and it is the first
 * attempt. The statement that stores the vote checks the session again.
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
  return {
    actor: { kind: 'user', id: user.id },
    event,
    ...(grant && { grant }),
    ...(turn && { turn }),
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

/** How the voter was identified: in the console by a password or a link, in a chat as its member. */
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

/** The same problem, with who decided before the loser of a race. */
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

/** Who ended it, if a person's vote did; a timer may also refuse it, or start it after approval. */
const deciderOf = ({ state, closedAt }: ElicitationRow): string | null =>
  state.context.breakGlassBy ?? state.context.votes.find(({ at }) => at === closedAt)?.by ?? null;
