import { canComplete, type ApproverGroup, type Stage, type EscalationStep } from '#requests/voting/contract/stages';
import { formatNeed } from '#messages/sentence-words';
import { formatsIn } from '#platform/text/formats';
import { namedIn, type ApproverLookup, formatUnknowns } from './approvers.ts';
import type { GroupRule } from '../../document/rules/document.ts';
import type { StagePlan } from '../../document/rules/verdict.ts';

const { all, count, duration } = formatsIn('en');

/** A stage that any of several groups can complete is tried with each group, up to this many combinations. */
const maxWays = 1_000;

/** Why stages can never be completed, in words. */
export interface Shortage {
  /** With people's names: for those who may see them. */
  reason: string;
  /** Stages, groups and numbers only, so that any caller may read it. */
  outline: string;
}

/**
 * Why the current people can never complete these stages, or not once an escalation has gone its way; null if they can.
 * A person who has voted before no longer counts if voters must be fresh.
 */
export function findShortage(
  plans: readonly StagePlan[],
  stages: readonly Stage[],
  lookup: ApproverLookup,
  earlier: readonly string[],
): Shortage | null {
  const users = everybody(lookup);
  const voters = [...lookup.voters.ids];
  const states = stages.map((stage) => {
    const excluded = stage.freshVoters ? [...stage.excluded, ...earlier] : stage.excluded;
    return statesOf(withoutAnyone({ ...stage, excluded }, voters));
  });
  for (const [at, plan] of plans.entries()) {
    const shortage = findStageShortage(plan, states[at] ?? [], users, lookup);
    if (shortage !== null) return shortage;
  }
  const last = states.flatMap((of) => of.at(-1)?.stage ?? []);
  return findShortageTogether(last, users, lookup);
}

/** The first state from which no one can complete the stage: its start, or a step of its escalation. */
function findStageShortage(
  plan: StagePlan,
  states: StageState[],
  users: ReadonlySet<string>,
  lookup: ApproverLookup,
): Shortage | null {
  const lastAble = states.findLastIndex(({ stage }) => canComplete(stage, users, lookup.directory.accounts));
  const dead = states[lastAble + 1];
  if (dead === undefined) return null;
  const { stage, step } = lastAble < 0 ? (states.at(-1) ?? dead) : dead;
  const reached = { stage: named(stage, [...lookup.voters.ids]), step };
  return reached.step === null ? formatShortage(plan, reached.stage, lookup) : formatDeadEnd(plan, reached, lookup);
}

/** A voter of a stage with fresh voters votes in no other stage: it needs other persons than each stage before it. */
function findShortageTogether(stages: Stage[], users: ReadonlySet<string>, lookup: ApproverLookup): Shortage | null {
  const chains = stages.map((stage, at) => [stage, ...stages.slice(at + 1).filter(({ freshVoters }) => freshVoters)]);
  const starts = chains.filter(([start], at) => at === 0 || !start?.freshVoters);
  return starts.map((chain) => findChainShortage(chain, users, lookup)).find((shortage) => shortage !== null) ?? null;
}

/** Do these stages find enough persons if no one votes in two of them? */
function findChainShortage(chain: Stage[], users: ReadonlySet<string>, lookup: ApproverLookup): Shortage | null {
  if (chain.length < 2) return null;
  const together = chain.map((stage) => named(stage, [...lookup.voters.ids]));
  const ways = together.reduce<ApproverGroup[][]>(
    (done, { complete, groups }) =>
      done.flatMap((before) =>
        complete === 'all' ? [[...before, ...groups]] : groups.map((group) => [...before, group]),
      ),
    [[]],
  );
  const first = together[0];
  if (!first || ways.length > maxWays) return null;
  const { accounts } = lookup.directory;
  const canWith = (groups: ApproverGroup[]): boolean =>
    canComplete({ ...first, complete: 'all', groups, excluded: [] }, users, accounts);
  if (ways.some(canWith)) return null;
  const able = [...new Set(together.flatMap(({ groups }) => groups.flatMap(({ approvers }) => approvers)))];
  const needed = Math.min(...ways.map((groups) => groups.reduce((sum, { approve }) => sum + approve, 0)));
  const needs = `Stages ${all(together.map(({ name }) => name))} need ${needed} different people`;
  return {
    reason: `${needs}, but ${formatUsers(able, lookup)} can vote in them.`,
    outline: `${needs}, but ${formatCount(able)} can vote in them.`,
  };
}

/** The stage with everyone by name. */
const withoutAnyone = (stage: Stage, voters: string[]): Stage => ({
  ...stage,
  groups: stage.groups.map((group) => ({ ...group, approvers: membersOf(group, voters) })),
});

/** The stage with everyone by name, without excluded people. */
function named(stage: Stage, voters: string[]): Stage {
  const gone = new Set(stage.excluded);
  const groups = stage.groups.map((group) => {
    const approvers = [...new Set(membersOf(group, voters))].filter((user) => !gone.has(user));
    return { ...group, approvers };
  });
  return { ...stage, groups };
}

const membersOf = ({ approvers }: ApproverGroup, voters: string[]): string[] =>
  approvers === 'anyone' ? voters : approvers;

/** All voters, and the stand-ins for a manager or owner that is not known yet. */
function everybody({ voters: { ids }, managers, owners }: ApproverLookup): ReadonlySet<string> {
  const others = [...managers, ...owners].filter((user) => !ids.has(user));
  return others.length === 0 ? ids : new Set([...ids, ...others]);
}

function formatShortage(plan: StagePlan, stage: Stage, lookup: ApproverLookup): Shortage {
  const short = stage.groups.findIndex(({ approve, approvers }) => approvers.length < approve);
  const group = stage.groups[short];
  const rule = plan.groups[short];
  if (!group || !rule) {
    const needed = stage.groups.reduce((sum, { approve }) => sum + approve, 0);
    const able = stage.groups.flatMap(({ approvers }) => approvers);
    const needs = `Stage ${stage.name} needs ${needed} different people for its groups`;
    return {
      reason: `${needs}, but ${formatUsers(able, lookup)} can vote there.`,
      outline: `${needs}, but ${formatCount(able)} can vote there.`,
    };
  }
  const place = `Stage ${stage.name}${stage.groups.length > 1 ? `, ${group.name},` : ''}`;
  const { reason, outline } = formatGroupShortage(place, group, rule, lookup);
  return { reason: [reason, ...formatUnknowns(rule.approvers, lookup)].join(' '), outline };
}

/** Describes a step of an escalation that can never be completed, and its remedy. */
function formatDeadEnd(plan: StagePlan, { stage, step }: StageState, lookup: ApproverLookup): Shortage {
  const rule = plan.escalation?.steps[step ?? 0];
  if (rule?.stage) {
    const { reason, outline } = formatShortage({ ...plan, ...rule.stage }, stage, lookup);
    const place = `Stage ${plan.name}, after ${duration(rule.after)}:`;
    return { reason: `${place} ${reason}`, outline: `${place} ${outline}` };
  }
  const able = [...new Set(stage.groups.flatMap(({ approvers }) => approvers))];
  const needed = Math.max(...stage.groups.map(({ approve }) => approve));
  const unknowns = formatUnknowns(rule?.approvers ?? [], lookup).join(' ');
  const after = `Stage ${plan.name}: after ${duration(rule?.after ?? 0)}`;
  if (able.length === 0) {
    const reason = `${after}, its escalation reaches no one.`;
    return { reason: [reason, unknowns].filter((part) => part !== '').join(' '), outline: reason };
  }
  const needs = `${count(needed, { one: 'approval is', other: 'approvals are' })} needed`;
  const remedy = `write \`approve: ${Math.min(able.length, needed)}\` under \`escalate\`, or name more people`;
  return {
    reason: [`${after}, ${formatUsers(able, lookup)} can vote, but ${needs}: ${remedy}.`, unknowns]
      .filter((part) => part !== '')
      .join(' '),
    outline: `${after}, ${formatCount(able)} can vote, but ${needs}: ${remedy}.`,
  };
}

function formatGroupShortage(place: string, group: ApproverGroup, rule: GroupRule, lookup: ApproverLookup): Shortage {
  const { approve } = group;
  const approvers = [...group.approvers];
  const missing = namedIn(rule.approvers, lookup).filter((user) => !approvers.includes(user));
  const excluded = missing.length === 0 ? '' : ` Excluded there: ${formatNames(missing, lookup)}.`;
  const need = formatNeed({ count: approve }, rule.approvers);
  const unverified = formatUnverified(rule, lookup);
  return {
    reason: `${place} needs ${need}, but ${formatUsers(approvers, lookup)} can vote there.${excluded}${unverified}`,
    outline: `${place} needs ${count(approve, { one: 'person', other: 'people' })}, but ${formatCount(approvers)} can vote there.${unverified}`,
  };
}

const formatUnverified = ({ approvers }: GroupRule, { isUnverified }: ApproverLookup): string =>
  isUnverified && approvers.some(({ kind }) => kind === 'manager') ? ' The requester’s identity isn’t verified.' : '';

function formatCount(ids: readonly string[]): string {
  const size = new Set(ids).size;
  return size === 0 ? 'no one' : `only ${size}`;
}

function formatUsers(ids: readonly string[], lookup: ApproverLookup): string {
  const users = [...new Set(ids)];
  return users.length === 0 ? 'no one' : `only ${formatNames(users, lookup)}`;
}

/** Up to five by name. */
function formatNames(ids: readonly string[], { voters, requesters, keyMaker }: ApproverLookup): string {
  const names = ids.map((id) => {
    const name = voters.byId.get(id)?.name ?? id;
    if (id === keyMaker)
      return `${name} (who made the server's key; a key from the operator's terminal excludes no one)`;
    return requesters.includes(id) ? `${name} (the requester)` : name;
  });
  return all(names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names);
}

/** A stage as it is from the start, or after so many steps of its escalation, if no one has voted by then. */
interface StageState {
  stage: Stage;
  /** The step that led here; null at the start. */
  step: number | null;
}

/**
 * Every state of a stage that time alone leads to, in order. A later round adds nothing to what the second one has: each
 * step does the same again.
 */
export function statesOf(stage: Stage): StageState[] {
  const { steps = [], loops = 1 } = stage.escalation ?? {};
  const states: StageState[] = [{ stage, step: null }];
  for (let round = 0; round < Math.min(loops, 2); round += 1)
    for (const [at, step] of steps.entries())
      states.push({ stage: after(states.at(-1)?.stage ?? stage, step), step: at });
  return states;
}

const after = (stage: Stage, step: EscalationStep): Stage => ({
  ...stage,
  ...(step.stage ?? { groups: stage.groups.map((group) => groupAfter(group, step)) }),
});

/** As the machine takes the step when no one has voted. */
function groupAfter(group: ApproverGroup, { mode, approvers, approve = group.approve }: EscalationStep): ApproverGroup {
  if (mode === 'replace') return { ...group, approve, approvers };
  if (group.approvers === 'anyone') return { ...group, approve };
  return { ...group, approve, approvers: [...new Set([...group.approvers, ...approvers])] };
}
