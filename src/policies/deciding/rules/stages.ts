import { type Directory, votersOf, hasStar } from '../../document/rules/directory.ts';
import { type ApproverLookup, isUnknown, formatUnknowns, namedIn, usersIn, lookupOf } from './approvers.ts';
import type {
  PolicyDocument,
  Rule,
  Facts,
  EscalationRule,
  GroupRule,
  StageRuleInPlace,
  FreezeWindow,
} from '../../document/rules/document.ts';
import { findShortage, type Shortage } from './shortage.ts';
import { planStages, onlyRequester } from '../../document/rules/stages.ts';
import type { StagePlan, Verdict } from '../../document/rules/verdict.ts';
import { everyAccount, personOf } from '#people/accounts/contract';
import type { ApproverGroup, Escalation, Stage, StageInPlace } from '#requests/voting/contract/stages';

type Satisfiability = { ok: true } | { ok: false; reason: string };

/**
 * Refuses a policy that the people of the directory could never satisfy, no matter who asks, or that names what is not
 * there.
 * Facts that depend on the request are assumed to be favourable; `resolveStages` checks them for each request.
 */
export function checkSatisfiable(
  document: PolicyDocument,
  directory: Directory,
  authorId: string | null = null,
): Satisfiability {
  const { rules, match } = document;
  const servers = match.server === null || match.server.some(hasStar) ? [null] : match.server;
  for (const [at, { rule }] of rules.entries()) {
    const place = rules.length === 1 ? '' : `Rule ${at + 1}: `;
    for (const server of servers) {
      for (const plans of chainsOf(rule, authorId)) {
        const reason = refuse(plans, directory, server);
        if (reason !== null)
          return { ok: false, reason: `${place}${server === null ? '' : `On ${server}: `}${reason}` };
      }
    }
  }
  return { ok: true };
}

/** The stages of a rule, and those of each of its freeze windows. */
function chainsOf(rule: Rule, authorId: string | null): StagePlan[][] {
  if (rule.outcome === 'deny') return [];
  const own = rule.outcome === 'require' ? [planStages(rule, authorId)] : [];
  return [...own, ...rule.freeze.map((window) => [freezeStage(window)])];
}

function refuse(plans: StagePlan[], directory: Directory, server: string | null): string | null {
  const lookup = lookupWithoutRequest(directory, server);
  const owner = server === null ? null : ownerOf(directory, server);
  const stages = plans.map((plan) => stageOf(plan, lookup, owner, {}));
  return (
    findShortage(plans, stages, lookup, [])?.reason ??
    plans.map((plan) => refuseNames(plan, lookup)).find(Boolean) ??
    null
  );
}

/** An unknown name is a mistake, even if other names would suffice: fewer people could vote than the author expects. */
function refuseNames({ name, groups, escalation }: StagePlan, lookup: ApproverLookup): string | null {
  const sources = [...groups, ...(escalation?.steps ?? [])].flatMap(({ approvers }) => approvers);
  const unknowns = formatUnknowns(
    sources.filter((source) => isUnknown(source, lookup)),
    lookup,
  );
  return unknowns.length === 0 ? null : `Stage ${name}: ${unknowns.join(' ')}`;
}

/** Context without a request: someone's manager stands for the requester's, and some server's owner for the server's. */
function lookupWithoutRequest(directory: Directory, server: string | null): ApproverLookup {
  const voters = votersOf(directory);
  const { ids: able } = voters;
  const hasManager = directory.users.some(({ managerId }) => managerId !== null && able.has(managerId));
  const owned = directory.servers.filter(({ ownerId }) => ownerId !== null && able.has(ownerId));
  const owner = owned.find(({ name }) => name === server)?.ownerId;
  const someOwner = server === null && owned.length > 0 ? ['the owner of the server'] : [];
  return {
    directory,
    server,
    voters,
    requesters: [],
    managers: hasManager ? ["the requester's manager"] : [],
    owners: owner ? [owner] : someOwner,
    isUnverified: false,
    context: null,
  };
}

/** The stages with their persons and, if they cannot be completed, the reason in words. */
export type Resolution = { ok: true; stages: Stage[] } | ({ ok: false; stages: Stage[] } & Shortage);

/** The request's history before these stages start. */
export interface Before {
  /** People who edited it. */
  editors?: readonly string[];
  /** Voters of earlier stages, and the people they voted for. */
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

/** The windows that are open at this time, in milliseconds since 1970. */
export const openWindows = (windows: readonly FreezeWindow[], at: number): FreezeWindow[] =>
  windows.filter(({ from, until }) => from <= at && at < until);

/** The window that a start at this time falls into, if the window has no stage; otherwise null. */
export const freezeAgainst = ({ freeze, frozen }: Pick<Verdict, 'freeze' | 'frozen'>, at: number): string | null =>
  openWindows(freeze, at).find(({ name }) => !frozen.includes(name))?.name ?? null;

/** The stage that is needed as long as a window is open. */
export function freezeStage({ name, approvers }: FreezeWindow): StagePlan {
  const title = `Freeze: ${name}`;
  return {
    name: title,
    complete: 'all',
    groups: [{ name: title, approve: { count: 1 }, deny: 1, approvers, meaning: 'approved' }],
    escalation: null,
    separation: onlyRequester,
    excluded: [],
  };
}
