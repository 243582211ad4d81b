import { everyAccount, personOf } from '#people/accounts/contract';
import type { ApproverGroup, Escalation, Stage, StageInPlace } from '#requests/voting/contract/quorum/stage';
import { namedIn, usersIn, lookupOf, type ApproverLookup } from '../approvers/approver-sources.ts';
import type { Directory } from '../../../document/rules/directory/directory.ts';
import type { Facts } from '../../../document/rules/document/facts.ts';
import type { EscalationRule, GroupRule, StageRuleInPlace } from '../../../document/rules/document/policy-document.ts';
import { findShortage, type Shortage } from '../shortage/shortage.ts';
import type { StagePlan } from '../../../document/rules/verdict/verdict.ts';

/** The stages with their persons and, if they cannot be completed, the reason in words. */
export type Resolution = { ok: true; stages: Stage[] } | ({ ok: false; stages: Stage[] } & Shortage);

/** What has happened to the request before these stages start. */
export interface Before {
  /** Who edited it. */
  editors?: readonly string[];
  /** Who voted in earlier stages, and for whom. */
  voters?: readonly string[];
}

/**
 * Finds the persons of each stage in the current directory. The requester is always excluded; disabled people are not
 * in the directory, and people who may not vote are in no stage. Who is excluded is so under each account they have.
 * A percentage is of the persons who may vote, rounded up.
 */
export function resolveStages(
  plans: readonly StagePlan[],
  directory: Directory,
  facts: Facts,
  before: Before = {},
): Resolution {
  const lookup = lookupOf(directory, facts);
  const stages = plans.map((plan) => stageOf(plan, lookup, ownerOf(directory, facts.request.server), before));
  const shortage = findShortage(plans, stages, lookup, before.voters ?? []);
  return shortage === null ? { ok: true, stages } : { ok: false, ...shortage, stages };
}

/** The server's owner, whether or not they may vote. */
export const ownerOf = ({ servers }: Directory, server: string): string | null =>
  servers.find(({ name }) => name === server)?.ownerId ?? null;

export function stageOf(plan: StagePlan, lookup: ApproverLookup, owner: string | null, before: Before): Stage {
  const { separation } = plan;
  const { accounts } = lookup.directory;
  const excluded = everyAccount(accounts, [
    ...lookup.requesters,
    ...plan.excluded,
    ...(separation.agentOwner && owner !== null ? [owner] : []),
    ...(separation.editor ? (before.editors ?? []) : []),
  ]);
  const earlier = separation.earlierVoters ? (before.voters ?? []) : [];
  const gone = new Set([...excluded, ...everyAccount(accounts, earlier)]);
  return {
    name: plan.name,
    complete: plan.complete,
    groups: plan.groups.map((group) => groupOf(group, lookup, gone)),
    excluded,
    freshVoters: separation.earlierVoters,
    ...(plan.escalation ? { escalation: escalationOf(plan.escalation, lookup, gone) } : {}),
  };
}

function groupOf(
  { name, approve, deny, approvers, meaning }: GroupRule,
  lookup: ApproverLookup,
  gone: Set<string>,
): ApproverGroup {
  if ('count' in approve) {
    const users = usersIn(approvers, lookup);
    return {
      name,
      meaning,
      deny,
      approve: approve.count,
      approvers: users === 'anyone' ? users : without(users, gone),
    };
  }
  const users = without(namedIn(approvers, lookup), gone);
  const persons = new Set(users.map((user) => personOf(lookup.directory.accounts, user)));
  const share = Math.ceil((approve.percent * persons.size) / 100);
  return { name, meaning, deny, approve: Math.max(1, share), approvers: users };
}

const escalationOf = (
  { steps, loops, end }: EscalationRule,
  lookup: ApproverLookup,
  gone: Set<string>,
): Escalation => ({
  steps: steps.map(({ after, mode, approvers, approve, stage }) => ({
    after,
    mode,
    approvers: without(namedIn(approvers, lookup), gone),
    ...(typeof approve === 'number' && { approve }),
    ...(stage && { stage: inPlaceOf(stage, lookup, gone) }),
  })),
  loops,
  end,
});

/** The stage of a step, whose persons are fixed when the request is opened, by name. */
const inPlaceOf = (
  { name, complete, groups }: StageRuleInPlace,
  lookup: ApproverLookup,
  gone: Set<string>,
): StageInPlace => ({
  name,
  complete,
  groups: groups.map((rule) => ({
    ...groupOf(rule, lookup, gone),
    approvers: without(namedIn(rule.approvers, lookup), gone),
  })),
});

const without = (users: string[], gone: Set<string>): string[] => users.filter((user) => !gone.has(user));
