import type { ClauseGroup, PolicyClause, SeparatedPerson } from '../../deciding/contract/clause.ts';
import {
  type EscalationRule,
  type GroupRule,
  describeTerms,
  type Terms,
  type FreezeWindow,
  type Separation,
  type StageRule,
} from './document.ts';
import type { Audience, Risk } from '#requests/asking/contract/elicitation';
import type { ConsideredRule } from '../../contract/considered-rule.ts';

/** The requirements of a verdict: who must answer, in which stages, and everything else. */
interface RequiredTerms extends Terms {
  stages: StagePlan[];
  frozen: string[];
}

/** The requirements of a verdict as clauses. */
export function describeRequirement(
  outcome: Outcome,
  requirement: RequiredTerms,
  reason: string | null,
): PolicyClause[] {
  if (outcome === 'allow') return [{ kind: 'allowed', ceiling: null, until: null }];
  if (outcome === 'deny') return [{ kind: 'denied', reason: reason ?? '' }];
  if (requirement.stages.length === 0) return [{ kind: 'requester' }];
  const { stages, frozen } = requirement;
  const isAlone = stages.length === 1;
  return [
    ...frozen.map((window): PolicyClause => ({ kind: 'frozen', window })),
    ...stages.map((stage, index) => describeStage(stage, isAlone ? null : index + 1)),
    ...stages.flatMap(({ name, escalation }) =>
      escalation ? [describeEscalation(escalation, isAlone ? null : name)] : [],
    ),
    { kind: 'separation', excluded: separatedFrom(stages) },
    ...describeTerms(requirement),
  ];
}

const describeStage = ({ name, groups, complete }: StagePlan, position: number | null): PolicyClause => ({
  kind: 'stage',
  position,
  name,
  complete,
  groups: groups.map(describeGroup),
});

const describeGroup = ({ name, approve: need, approvers, meaning, deny }: GroupRule): ClauseGroup => ({
  name,
  need,
  approvers,
  meaning,
  deny,
});

/** `stage` names it if there are several. */
const describeEscalation = ({ steps, loops, end }: EscalationRule, stage: string | null): PolicyClause => ({
  kind: 'escalation',
  stage,
  steps: steps.map(({ stage: inPlace, ...step }) => ({
    ...step,
    ...(inPlace && { stage: { ...inPlace, groups: inPlace.groups.map(describeGroup) } }),
  })),
  rounds: loops,
  end,
});

function separatedFrom(stages: StagePlan[]): SeparatedPerson[] {
  const isSet = (read: (stage: StagePlan) => boolean): boolean => stages.some(read);
  return [
    'requester',
    ...(isSet(({ separation }) => separation.agentOwner) ? (['agent-owner'] as const) : []),
    ...(isSet(({ separation }) => separation.editor) ? (['editor'] as const) : []),
    ...(isSet(({ excluded }) => excluded.length > 0) ? (['author'] as const) : []),
    ...(isSet(({ separation }) => separation.earlierVoters) ? (['earlier-voters'] as const) : []),
  ];
}

/** Local time. */
interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time of the zone at `at`, milliseconds since 1970. Throws RangeError if there is no such zone. */
export function localTime(at: number, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  };
}

/** The zone's offset from UTC at `at`, in milliseconds. */
export function offsetOf(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(at, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cachedFormat = formats.get(timeZone);
  if (cachedFormat) return cachedFormat;
  const numeric = 'numeric' as const;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  // The cache has a limit: zone names have many spellings, and some come from arguments.
  if (formats.size >= 500) formats.clear();
  formats.set(timeZone, format);
  return format;
}

export const builtInName = 'built-in';
export const builtInPolicy = `${builtInName}@1`;

/** The audience of the caller, or approvers if the tool is destructive. */
export const audienceOf = (wish: Audience | undefined, isDestructive: boolean): Audience =>
  wish === 'approvers' || isDestructive ? 'approvers' : 'requester';

/** The policies' verdict on one request: plain JSON, so that it can be sealed with the request and used later. */
export interface Verdict extends Terms {
  /** Name and version of the policy that decided: pinned by the elicitation and bound into its digest. */
  policy: string;
  outcome: Outcome;
  /** The people asked; meaningless if no one is. */
  audience: Audience;
  risk: Risk;
  /** In order; empty if no one or only the requester is asked. `resolveStages` finds the persons. */
  stages: StagePlan[];
  /** Why it is denied. */
  reason: string | null;
  /** Percentage of allowed requests that a person looks at later; null for none. */
  sample: number | null;
  /** The freeze windows of its policy, and the names of those that are open when it starts: these have a stage. */
  freeze: FreezeWindow[];
  frozen: string[];
  explanation: Explanation;
}

export type Outcome = 'allow' | 'deny' | 'require';

/** The other policies whose rules apply and became part of the verdict, as those of a space do next to global ones. */
export const alsoBy = ({ policy, explanation }: Partial<Verdict>): string[] => {
  const others = explanation?.considered.filter((each) => each.decided && each.result === 'applied') ?? [];
  return [...new Set(others.map((each) => each.policy))].filter((name) => name !== policy);
};

/** A stage before its persons are known, with whom its policy separates from voting. */
export interface StagePlan extends StageRule {
  separation: Omit<Separation, 'author'>;
  /** Ids of persons who may not vote here no matter who asks: the author if the policy says so. */
  excluded: string[];
}

/** Why this policy decided: kept with the request, shown to approvers and auditors. */
export interface Explanation {
  policy: string;
  outcome: Outcome;
  /** The requirements as clauses. */
  terms: PolicyClause[];
  /** The policies that are about this server and tool, in the order in which they count. */
  considered: ConsideredRule[];
  /** More of them that did not apply, by name and version: only the first few are explained. Absent if there are none. */
  passedOver?: string[];
}
