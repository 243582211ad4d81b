import { everyAccount } from '#people/accounts/contract';
import type { ApproverGroup, Stage } from '#requests/voting/contract/quorum/stage';
import type { ApproverSource } from '../../contract/clause.ts';
import type { StagePlan } from '../../../document/rules/verdict/verdict.ts';
import { isInSources, type ApproverLookup } from '../approvers/approver-sources.ts';
import { ownerOf } from '../stages/resolve-stages.ts';

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

/** Who can no longer vote may still have another account that can; someone excluded for another reason is so with each. */
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

/** Of one group, with those of the steps of escalation that were taken, or since one put a stage in its place. */
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
