import { currentStage, hasVoted, isExcluded, lastVote, mayAct } from '../machine/ballots.ts';
import { isScheduled } from '../machine/step.ts';
import { mayVote, type Person } from '../model/person.ts';
import { isEligible } from '../model/quorum.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import { editForm } from './edit-elicitation.ts';
import type { PolicyTerms } from './policy-terms.ts';

/** May this person do this now, and if not, why not. The console shows it; the verbs decide for themselves. */
export interface Permission {
  allowed: boolean;
  reason: string | null;
}

const yes: Permission = { allowed: true, reason: null };
const no = (reason: string): Permission => ({ allowed: false, reason });

/** The first reason that stands against it, if any. */
const unless = (...reasons: [boolean, string][]): Permission => {
  const against = reasons.find(([holds]) => holds);
  return against ? no(against[1]) : yes;
};

export function mayVoteNow(person: Person, row: ElicitationRow): Permission {
  const { context } = row.state;
  const stage = currentStage(context);
  return unless(
    ...mayDecide(person, row),
    [isScheduled(row.state), 'All have approved; it waits for its start.'],
    [stage?.excluded.includes(person.id) === true, 'Whoever asked, or stands too near to it, does not vote on it.'],
    [hasVoted(context, person.id), 'You have already voted.'],
    [!stage || !isEligible(stage, { by: person.id }), 'This stage is for other approvers.'],
  );
}

export const mayEndNow = (person: Person, row: ElicitationRow): Permission =>
  unless([row.status !== 'open', ended], [!mayVote(person.role), looks]);

export interface Circumstances {
  terms: PolicyTerms;
  mayBreakGlass: boolean;
  overrule: { accountId: string; review: unknown } | null;
}

/** Everything a person may do on the page of one request. */
export function permissionsOf(person: Person, row: ElicitationRow, given: Circumstances) {
  const { context } = row.state;
  const acts = [
    ...mayDecide(person, row),
    [!mayAct(context, person.id), 'This stage is for other approvers.'],
  ] satisfies [boolean, string][];
  const collects: [boolean, string][] = [[isScheduled(row.state), 'All have approved; it waits for its start.']];
  return {
    vote: mayVoteNow(person, row),
    cancel: mayEndNow(person, row),
    extend: mayEndNow(person, row),
    withdrawVote: unless([row.status !== 'open', ended], [!lastVote(context, person.id), 'You have no vote here.']),
    edit: unless(...acts, ...collects, [editForm(given.terms) === null, 'The policy lets nobody edit this request.']),
    addApprover: unless(...acts, ...collects),
    claim: unless(...acts, ...collects, [isHeldByOther(person, row), 'Somebody else looks at it.']),
    comment: mayEndNow(person, row),
    inquire: unless(...acts, ...collects, [context.inquiry !== null, 'A question to the requester is open.']),
    postpone: unless(...acts, [!given.terms.notBefore && context.notBefore === null, 'The policy sets no start.']),
    overrule: mayOverrule(person, row, given),
    reviewOverrule: mayReview(person, given),
  };
}

const ended = 'This request has ended.';
const looks = 'Reviewers look; they do not decide.';

const mayDecide = (person: Person, row: ElicitationRow): [boolean, string][] => [
  [row.status !== 'open', ended],
  [!mayVote(person.role), looks],
  [row.audience !== 'approvers', 'The person at the MCP client answers this request.'],
];

const isHeldByOther = ({ id }: Person, { state }: ElicitationRow): boolean => {
  const { claim, now } = state.context;
  return claim !== null && claim.by !== id && claim.until > now;
};

const mayOverrule = (person: Person, row: ElicitationRow, { mayBreakGlass }: Circumstances): Permission =>
  unless(
    ...mayDecide(person, row),
    [!mayBreakGlass, 'Breaking the glass needs a permission of its own.'],
    [isExcluded(row.state.context, person.id), 'Whoever asked, or stands too near to it, does not decide it.'],
  );

const mayReview = (person: Person, { overrule }: Circumstances): Permission =>
  unless(
    [!overrule, 'It was decided by its policy.'],
    [overrule?.review != null, 'It has been reviewed.'],
    [person.role === 'approver', 'Administrators and reviewers do this.'],
    [overrule?.accountId === person.id, 'Somebody else must look at this.'],
  );
