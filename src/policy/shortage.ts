import { canComplete } from '../model/quorum.ts';
import type { ApproverGroup, Stage } from '../model/stage.ts';
import { namedIn, type World } from './approver-sources.ts';
import { sayList, sayNeed } from './describe-requirement.ts';
import type { GroupRule } from './policy-document.ts';
import type { StagePlan } from './verdict.ts';

/** A stage of several groups any of which will do is tried by each of them; with others, up to so many ways. */
const mostWays = 1_000;

/**
 * Why these stages can never be completed by the people there are, in words; null where they can.
 * Persons that an escalation brings count, and whoever has voted before counts no more where voters must be fresh.
 */
export function findShortage(
  plans: readonly StagePlan[],
  stages: readonly Stage[],
  world: World,
  earlier: readonly string[],
): string | null {
  const persons = everybody(world);
  const wide = stages.map((stage) => widen(stage, world, stage.freshVoters ? earlier : []));
  const short = wide.findIndex((stage) => !canComplete(stage, persons));
  const plan = plans[short];
  const stage = wide[short];
  if (plan && stage) return sayShortage(plan, stage, world);
  return findShortageTogether(wide, persons, world);
}

/** Who votes in a stage with fresh voters votes in none of the others: together they need distinct persons. */
function findShortageTogether(stages: Stage[], persons: string[], world: World): string | null {
  const together = stages.filter(({ freshVoters }, at) => at === 0 || freshVoters);
  if (together.length < 2) return null;
  const ways = together.reduce<ApproverGroup[][]>(
    (done, { complete, groups }) =>
      done.flatMap((before) =>
        complete === 'all' ? [[...before, ...groups]] : groups.map((group) => [...before, group]),
      ),
    [[]],
  );
  const first = together[0];
  if (!first || ways.length > mostWays) return null;
  if (ways.some((groups) => canComplete({ ...first, complete: 'all', groups, excluded: [] }, persons))) return null;
  const able = [...new Set(together.flatMap(({ groups }) => groups.flatMap(({ approvers }) => approvers)))];
  const needed = Math.min(...ways.map((groups) => groups.reduce((sum, { approve }) => sum + approve, 0)));
  const names = sayList(
    together.map(({ name }) => name),
    'and',
  );
  return `Stages ${names} need ${needed} different persons, but ${sayPersons(able, world)} may vote in them.`;
}

/** Every group with all who can ever vote in it by name. */
function widen(stage: Stage, { voters }: World, earlier: readonly string[]): Stage {
  const later = (stage.escalation?.steps ?? []).flatMap(({ approvers }) => approvers);
  const gone = new Set([...stage.excluded, ...earlier]);
  const all = ({ approvers }: ApproverGroup): string[] =>
    approvers === 'anyone' ? voters.map(({ id }) => id) : [...approvers, ...later];
  const groups = stage.groups.map((group) => ({
    ...group,
    approvers: [...new Set(all(group))].filter((person) => !gone.has(person)),
  }));
  return { ...stage, groups };
}

const everybody = ({ voters, managers, owners }: World): string[] => [
  ...new Set([...voters.map(({ id }) => id), ...managers, ...owners]),
];

function sayShortage(plan: StagePlan, stage: Stage, world: World): string {
  const short = stage.groups.findIndex(({ approve, approvers }) => approvers.length < approve);
  const group = stage.groups[short];
  const rule = plan.groups[short];
  if (!group || !rule) {
    const needed = stage.groups.reduce((sum, { approve }) => sum + approve, 0);
    const able = stage.groups.flatMap(({ approvers }) => approvers);
    return `Stage ${stage.name} needs ${needed} different persons for its groups, but ${sayPersons(able, world)} may vote there.`;
  }
  const part = stage.groups.length > 1 ? `, ${group.name},` : '';
  const need = sayNeed(group.approve, rule.approvers);
  const left = namedIn(rule.approvers, world).filter((person) => !group.approvers.includes(person));
  const excluded = left.length === 0 ? '' : ` Excluded there: ${sayNames(left, world)}.`;
  return `Stage ${stage.name}${part} needs ${need}, but ${sayPersons([...group.approvers], world)} may vote there.${excluded}${sayClaim(rule, world)}`;
}

const sayClaim = ({ approvers }: GroupRule, { isClaim }: World): string =>
  isClaim && approvers.some(({ kind }) => kind === 'manager') ? ' Nobody has verified who the requester is.' : '';

function sayPersons(ids: readonly string[], world: World): string {
  const persons = [...new Set(ids)];
  return persons.length === 0 ? 'nobody' : `only ${sayNames(persons, world)}`;
}

/** Up to five by name. */
function sayNames(ids: readonly string[], { voters, requesters }: World): string {
  const names = ids.map((id) => {
    const name = voters.find((voter) => voter.id === id)?.name ?? id;
    return requesters.includes(id) ? `${name} (the requester)` : name;
  });
  return sayList(names.length > 5 ? [...names.slice(0, 5), `${names.length - 5} more`] : names, 'and');
}
