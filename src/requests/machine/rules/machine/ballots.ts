import {
  accountsIn,
  isEligible,
  isInFullGroup,
  usersOf,
  verdictOf,
  type Ballot,
} from '../../../voting/contract/quorum/quorum.ts';
import type { Stage } from '../../../voting/contract/quorum/stage.ts';
import type { CastVote, ElicitationContext, EventOf } from './context.ts';

type Collecting = Pick<ElicitationContext, 'stages' | 'stage' | 'votes'>;

/** The stage that collects votes; none once all are complete. */
export const currentStage = ({ stages, stage }: Pick<Collecting, 'stages' | 'stage'>): Stage | undefined =>
  stages[stage];

/** The votes of the stage that runs, or of another. */
export const votesInStage = ({ votes, stage }: Pick<Collecting, 'votes' | 'stage'>, of = stage): CastVote[] =>
  votes.filter((vote) => vote.stage === of);

/** Is there a vote by or for this person, under whatever account, that keeps them from voting now? */
export function hasVoted(context: Collecting, user: string, stage = currentStage(context)): boolean {
  const counted = stage?.freshVoters ? context.votes : votesInStage(context);
  return counted.some((vote) => accountsIn(stage ?? {}, vote).includes(user));
}

/** A vote may update the current stage. */
type AtStage = { stageNow?: Stage | undefined };

export function mayCast(context: Collecting, ballot: Pick<Ballot, 'by' | 'for' | 'issuer'> & AtStage): boolean {
  const stage = ballot.stageNow ?? currentStage(context);
  if (!stage || ballot.by === ballot.for) return false;
  return isEligible(stage, ballot) && !usersOf(ballot).some((user) => hasVoted(context, user, stage));
}

/** The stored vote. */
export const castVote = (
  { by, for: absent, issuer, action, allowFor, answer, at }: EventOf<'vote'>,
  { stage }: ElicitationContext,
): CastVote => ({
  by,
  ...(absent !== undefined && { for: absent }),
  ...(issuer !== undefined && { issuer }),
  action,
  stage,
  at,
  ...(allowFor !== undefined && { allowFor }),
  ...(answer !== undefined && { answer }),
});

/** The stored emergency override. */
export const castOverride = ({ by, issuer }: EventOf<'breakGlass'>) => ({
  breakGlassBy: by,
  ...(issuer !== undefined && { breakGlassIssuer: issuer }),
});

/** The result of this vote for its stage. */
export function verdictWith(context: Collecting, ballot: Ballot & AtStage): ReturnType<typeof verdictOf> {
  const stage = ballot.stageNow ?? currentStage(context);
  return stage ? verdictOf(stage, [...votesInStage(context), ballot]) : null;
}

/**
 * May this person, for themselves or for another, do what approvers do apart from voting? They may have voted; once all
 * is
 * approved, the last stage counts.
 */
export function mayAct(
  { stages, stage }: Pick<Collecting, 'stages' | 'stage'>,
  user: string,
  absent?: string,
): boolean {
  const acting = stages[Math.min(stage, stages.length - 1)];
  return !!acting && isEligible(acting, { by: user, for: absent });
}

/** The most remarks a request can have. */
const maxRemarks = 200;

export const hasRoom = ({ remarks }: Pick<ElicitationContext, 'remarks'>): boolean => remarks < maxRemarks;

export const isExcluded = ({ stages, stage }: Pick<Collecting, 'stages' | 'stage'>, user: string): boolean =>
  stages[Math.min(stage, stages.length - 1)]?.excluded.includes(user) ?? true;

/** This person's last vote that still counts. */
export const lastVote = ({ votes }: Pick<Collecting, 'votes'>, user: string): CastVote | undefined =>
  votes.findLast(({ by }) => by === user);

/** The votes without this person's last one. */
export const withoutVote = (context: Collecting, user: string): Pick<Collecting, 'stage' | 'votes'> =>
  without(context, (vote) => vote === lastVote(context, user));

/**
 * If the current stage completes when this person withdraws their last vote, a refusal that held up one of several
 * groups: the approval that completes it. Otherwise undefined.
 */
export function releasedBy(context: Collecting, user: string): CastVote | undefined {
  if (!lastVote(context, user)) return undefined;
  const { stage, votes } = withoutVote(context, user);
  const current = currentStage(context);
  const remaining = votesInStage({ votes, stage });
  if (!current || stage !== context.stage || verdictOf(current, remaining) !== 'complete') return undefined;
  return remaining.findLast((vote) => vote.action === 'accept' && isInFullGroup(current, remaining, vote));
}

/** The votes without those by or for this person. */
export const withoutUser = (context: Collecting, event: Voided): Pick<Collecting, 'stage' | 'votes'> =>
  without(context, (vote) => isVoid(vote, event));

type Voided = Pick<EventOf<'void'>, 'user' | 'stage'>;

/** The complete stage that collects again without these votes; null if none does. */
export const reopenedBy = ({ stage }: Collecting, after: Pick<Collecting, 'stage'>): number | null =>
  after.stage < stage ? after.stage : null;

/** Does this event take this vote away? */
export const isVoid = (vote: CastVote, { user, stage }: Voided): boolean =>
  usersOf(vote).includes(user) && (stage === undefined || vote.stage === stage);

/** The first stage that is no longer complete collects again, and later votes are void. */
function without(context: Collecting, isTaken: (vote: CastVote) => boolean): Pick<Collecting, 'stage' | 'votes'> {
  const votes = context.votes.filter((vote) => !isTaken(vote));
  const isComplete = (stage: Stage, at: number) => verdictOf(stage, votesInStage({ votes, stage: at })) === 'complete';
  const reopened = context.stages.slice(0, context.stage).findIndex((stage, at) => !isComplete(stage, at));
  const stage = reopened < 0 ? context.stage : reopened;
  return { stage, votes: votes.filter((vote) => vote.stage <= stage) };
}

/** May this person mark the request as theirs to review, or, with `until` null, end that? */
export function mayWatch({ watch, now, ...context }: ElicitationContext, { by, until }: EventOf<'watch'>): boolean {
  const isTaken = watch !== null && watch.by !== by && watch.until > now;
  return until === null ? watch?.by === by : !isTaken && mayAct(context, by);
}
