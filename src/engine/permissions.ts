import { currentStage, hasVoted } from '../machine/ballots.ts';
import { mayVote, type Person } from '../model/person.ts';
import { isEligible } from '../model/quorum.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';

/** May this person do this now, and if not, why not. The console shows it; the verbs decide for themselves. */
export interface Permission {
  allowed: boolean;
  reason: string | null;
}

const yes: Permission = { allowed: true, reason: null };
const no = (reason: string): Permission => ({ allowed: false, reason });

export function mayVoteNow(person: Person, row: ElicitationRow): Permission {
  const { context } = row.state;
  const stage = currentStage(context);
  if (row.status !== 'open') return no('This request has ended.');
  if (!mayVote(person.role)) return no('Reviewers look; they do not decide.');
  if (row.audience !== 'approvers') return no('The person at the MCP client answers this request.');
  if (stage?.excluded.includes(person.id)) return no('Whoever asked, or stands too near to it, does not vote on it.');
  if (hasVoted(context, person.id)) return no('You have already voted.');
  if (!stage || !isEligible(stage, { by: person.id })) return no('This stage is for other approvers.');
  return yes;
}

export function mayEndNow(person: Person, row: ElicitationRow): Permission {
  if (row.status !== 'open') return no('This request has ended.');
  return mayVote(person.role) ? yes : no('Reviewers look; they do not decide.');
}
