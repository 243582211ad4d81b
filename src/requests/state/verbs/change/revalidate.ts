import { Problem } from '#platform/model/problem';
import {
  revalidateApproval,
  refreshStages,
  type Approval,
  type Lapse,
  type CurrentRules,
} from '#policies/deciding/rules/standing';
import { denialOf } from '#policies/deciding/rules/decide';
import { lookupOf } from '#policies/deciding/rules/approvers';
import { freezeStage } from '#policies/deciding/rules/stages';
import type { Facts } from '#policies/document/rules/document';
import type { StagePlan, Verdict } from '#policies/document/rules/verdict';
import type { ElicitationRow } from '../../store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { askedIn, factsOf } from './facts.ts';
import { requestersOf } from '../../../asking/verbs/requester/requesters.ts';
import { openVerdict } from '../../../asking/verbs/question/sealed-question.ts';

/** What judging a stored row needs of an engine. */
export type RevalidationEngine = Pick<Engine, 'ring' | 'environment' | 'defaults'>;

/**
 * Why the current people and policies would no longer accept this row with the same votes; null if they would. A
 * request accepted by a standing approval rests on the votes of another row.
 */
export function lapseOf(
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: CurrentRules,
  now: number,
): Lapse | null {
  return revalidateApproval(approvalOf(engine, row), factsNow(engine, row, present, now), present);
}

/** The row with its stages updated for these persons; others are not checked again. */
export function refreshRow(
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: Pick<CurrentRules, 'directory'>,
  now: number,
  persons: readonly string[],
): ElicitationRow {
  if (row.audience !== 'approvers') return row;
  const lookup = lookupOf(present.directory, factsNow(engine, row, present, now));
  const stages = refreshStages(approvalOf(engine, row), lookup, new Set(persons));
  return { ...row, state: { ...row.state, context: { ...row.state.context, stages } } };
}

/** The facts that permissions are judged by: the row, updated for these persons, and who is known as the requester. */
export const refreshForPermissions = (
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: Pick<CurrentRules, 'directory'>,
  now: number,
  persons: readonly string[],
) => ({ current: refreshRow(engine, row, present, now, persons), requesters: requestersOf(engine, row, present) });

/** Throws problem `policy-denied` if a policy in force denies the request. */
export function assertNotDenied(
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: CurrentRules,
  now: number,
): void {
  const denial = denialOf(present.book, factsNow(engine, row, present, now));
  if (denial)
    throw new Problem('policy-denied', {
      detail: `Change the request: ${denial.policy} denies it now. ${denial.reason}`,
    });
}

function approvalOf(engine: RevalidationEngine, row: ElicitationRow): Approval {
  const { stages, votes, breakGlassBy, breakGlassIssuer, grant } = row.state.context;
  const own = grant === undefined ? stages : [];
  return { stages: own, votes, breakGlassBy, breakGlassIssuer, plans: plansOf(engine, row) };
}

const factsNow = (
  engine: RevalidationEngine,
  row: ElicitationRow,
  { directory }: Pick<CurrentRules, 'directory'>,
  now: number,
): Facts => factsOf(askedIn(engine, row), directory, engine, now);

/** What the policy pinned by the row says about each of its stages, in order. */
function plansOf(engine: RevalidationEngine, row: ElicitationRow): (StagePlan | undefined)[] {
  const verdict = openVerdict(engine.ring, row) as Partial<Verdict> | null;
  const planned = verdict?.stages ?? [];
  const later = verdict?.freeze?.map(freezeStage) ?? [];
  const { stages } = row.state.context;
  return stages.map(({ name, added }, at) => {
    if (added !== undefined) return undefined;
    const before = stages.slice(0, at).filter((stage) => stage.added === undefined).length;
    return planned[before] ?? later.find((plan) => plan.name === name);
  });
}
