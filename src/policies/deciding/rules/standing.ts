import {
  accountsIn,
  groupsOf,
  isEligible,
  usersOf,
  verdictOf,
  votersIn,
  type Ballot,
  type Stage,
  type ApproverGroup,
} from '#requests/voting/contract/stages';
import { lookupOf, type ApproverLookup, isInSources } from './approvers.ts';
import type { Directory } from '../../document/rules/directory.ts';
import type { Facts } from '../../document/rules/document.ts';
import type { StagePlan } from '../../document/rules/verdict.ts';
import { denialOf } from './decide.ts';
import type { PolicyBook } from './book.ts';
import { everyAccount } from '#people/accounts/contract';
import type { ApproverSource } from '../contract/clause.ts';
import { ownerOf } from './stages.ts';

/** A vote, with the stage it was cast in. */
interface StagedBallot extends Ballot {
  stage: number;
}

/** The grounds of an approval, as its row keeps them. */
export interface Approval {
  stages: readonly Stage[];
  /** The policy's plan for each stage; undefined for one that an approver added. */
  plans: readonly (StagePlan | undefined)[];
  votes: readonly StagedBallot[];
  /** The person who approved it past its policy, and the issuer of the credential they used. */
  breakGlassBy: string | null;
  breakGlassIssuer?: string | undefined;
}

/** Why an approval is no longer valid: the first person whose vote no longer counts, or the policy that denies. */
export type Lapse = { because: 'user'; user: string | null } | { because: 'policy'; policy: string; reason: string };

/** The current people and policies. */
export interface CurrentRules {
  directory: Directory;
  book: PolicyBook;
}

/**
 * Why the current people and policies would no longer approve this with the same votes; null if they would. A vote
 * counts while its voter, and the person they voted for, may vote, are not the requester, and belong to a source of
 * their stage.
 */
export function revalidateApproval(approval: Approval, facts: Facts, { directory, book }: CurrentRules): Lapse | null {
  const denial = denialOf(book, facts);
  if (denial) return { because: 'policy', policy: denial.policy, reason: denial.reason };
  const lookup = lookupOf(directory, facts);
  const { breakGlassBy: by, breakGlassIssuer: issuer } = approval;
  if (by !== null) return lapseOfBreakGlass({ by, issuer }, lookup);
  const accepting = approval.votes.filter(({ action }) => action === 'accept');
  const stages = refreshStages(approval, lookup, new Set(accepting.flatMap(votersIn)));
  const counted = approval.votes.filter(
    (vote) => vote.action === 'decline' || (stillCounts(vote, stages) && !isRepeated(vote, approval.votes, stages)),
  );
  const isComplete = stages.every((stage, at) => verdictOf(stage, inStage(counted, at)) === 'complete');
  if (isComplete) return null;
  const lost = accepting.find(
    (vote) => isWeaker(vote, approval.stages, stages) || isRepeated(vote, approval.votes, stages),
  );
  return { because: 'user', user: lost ? personLost(lost, stages) : null };
}

/** Its stages, updated for these persons, with the accounts of everyone whom its votes count for. */
export function refreshStages(
  { stages, plans, votes }: Pick<Approval, 'stages' | 'plans' | 'votes'>,
  lookup: ApproverLookup,
  persons: ReadonlySet<string>,
): Stage[] {
  const ofVotes = votes.flatMap(usersOf).map((user) => lookup.directory.accounts?.get(user));
  const accounts = [...new Set(ofVotes.filter((all) => all !== undefined))].map((all) => [...all]);
  return stages.map(({ accounts: _former, ...stage }, at) => ({
    ...refreshStage(stage, plans[at], lookup, persons),
    ...(accounts.length > 0 && { accounts }),
  }));
}

/** Does this vote still count in its stage? */
export function stillCounts(vote: StagedBallot, stages: readonly Stage[]): boolean {
  const stage = stages[vote.stage];
  return stage !== undefined && isEligible(stage, vote);
}

/** Has a natural person in this vote voted before, where only one vote of theirs counts? */
export function isRepeated(vote: StagedBallot, votes: readonly StagedBallot[], stages: readonly Stage[]): boolean {
  const stage = stages[vote.stage];
  if (!stage?.accounts) return false;
  const accounts = new Set(accountsIn(stage, vote));
  return votes
    .slice(0, votes.indexOf(vote))
    .filter((earlier) => stage.freshVoters || earlier.stage === vote.stage)
    .some((earlier) => usersOf(earlier).some((user) => accounts.has(user)));
}

/** Whether this vote counts less than before; it may still fill a seat of another group. */
function isWeaker(vote: StagedBallot, before: readonly Stage[], now: readonly Stage[]): boolean {
  const [former, asking] = [before[vote.stage], now[vote.stage]];
  return !stillCounts(vote, now) || !former || !asking || groupsOf(asking, vote).length < groupsOf(former, vote).length;
}

/** The person because of whom the vote counts less: the voter, or the one they voted for. */
export function personLost(vote: StagedBallot, stages: readonly Stage[]): string {
  const excluded = usersOf(vote).find((user) => stages[vote.stage]?.excluded.includes(user));
  return excluded ?? vote.for ?? vote.by;
}

function lapseOfBreakGlass(
  override: Pick<Ballot, 'by' | 'issuer'>,
  { directory, voters, requesters }: ApproverLookup,
): Lapse | null {
  const { by } = override;
  const mayStill = voters.ids.has(by) && directory.users.find(({ id }) => id === by)?.mayBreakGlass;
  const requester = usersOf(override).find((user) => requesters.includes(user));
  return mayStill && requester === undefined ? null : { because: 'user', user: requester ?? by };
}

const inStage = (votes: StagedBallot[], at: number): StagedBallot[] => votes.filter(({ stage }) => stage === at);

/**
 * The stage, updated for these persons. Excluded are people who can no longer vote, turn out to be the requester, or
 * own the server if the policy excludes its owner, under each account they have. A person is only in groups with a source that still includes them,
 * and no one is added after the start. A stage without a plan was added by an approver and names its persons itself.
 */
export function refreshStage(
  stage: Stage,
  plan: StagePlan | undefined,
  lookup: ApproverLookup,
  persons: ReadonlySet<string>,
): Stage {
  return {
    ...stage,
    excluded: [...new Set([...excludedBefore(stage, lookup, persons), ...excludedNow(plan, lookup, persons)])],
    groups: stage.groups.map((group, at) => ({
      ...group,
      approvers: stillAsked(group, plan && sourcesOf(stage, plan, at), lookup, persons),
    })),
  };
}

/** A person who can no longer vote may have another account that can; any other exclusion holds for all their accounts. */
function excludedBefore(
  { excluded }: Stage,
  { directory: { accounts }, voters }: ApproverLookup,
  persons: ReadonlySet<string>,
): string[] {
  const separated = excluded.filter((user) => voters.ids.has(user) || !persons.has(user));
  return [...excluded, ...everyAccount(accounts, separated)];
}

function excludedNow(plan: StagePlan | undefined, lookup: ApproverLookup, persons: ReadonlySet<string>): string[] {
  const owner = plan?.separation?.agentOwner ? ownerOf(lookup.directory, lookup.server ?? '') : null;
  return [
    ...lookup.requesters,
    ...(owner === null ? [] : everyAccount(lookup.directory.accounts, [owner])),
    ...[...persons].filter((person) => !lookup.voters.ids.has(person)),
  ];
}

/** Sources of one group and of the taken steps of escalation; only of those since one put a stage in its place. */
function sourcesOf({ escalation, replacement }: Stage, plan: StagePlan, at: number): ApproverSource[] | undefined {
  const steps = plan.escalation?.steps ?? [];
  const groups = replacement ? (steps[replacement.step]?.stage?.groups ?? []) : plan.groups;
  const isTaken = (place: number): boolean =>
    replacement ? replacement.since.includes(place) : escalation?.steps[place]?.taken === true;
  const added = steps.filter((_step, place) => isTaken(place)).flatMap(({ approvers }) => approvers);
  return groups[at] && [...groups[at].approvers, ...added];
}

function stillAsked(
  { approvers }: ApproverGroup,
  sources: ApproverSource[] | undefined,
  lookup: ApproverLookup,
  persons: ReadonlySet<string>,
): ApproverGroup['approvers'] {
  if (approvers === 'anyone' || sources === undefined) return approvers;
  return approvers.filter((person) => !persons.has(person) || isInSources(sources, lookup, person));
}
