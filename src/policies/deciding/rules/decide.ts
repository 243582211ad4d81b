import type { PolicyDefaults } from '../../contract/policy.ts';
import {
  secondAdministrator,
  type Requirement,
  onlyRequester,
  planStages,
  builtInRequirement,
  isForPeople,
  isOwnRequest,
  saysNothing,
  strictDefault,
} from '../../document/rules/stages.ts';
import {
  type StagePlan,
  builtInPolicy,
  describeRequirement,
  type Explanation,
  type Verdict,
  localTime,
  offsetOf,
} from '../../document/rules/verdict.ts';
import { type Risk, risks } from '#requests/asking/contract/elicitation';
import {
  type Facts,
  type StageRuleInPlace,
  stricterTerms,
  type AllowRule,
  type ConfirmRule,
  type DenyRule,
  type RequireRule,
  type Rule,
  plainTerms,
  type FreezeWindow,
} from '../../document/rules/document.ts';
import type { PolicyClause, RaisedBecause, QuietHours } from '../contract/clause.ts';
import { celContext, type CelContext, evaluateCondition, type Evaluation } from '../../language/rules/expression.ts';
import { isOtherReading, isUsuallyAllowed } from '#platform/model/names';
import { freezeStage, openWindows } from './stages.ts';
import { findCandidates, type BookCondition, type BookEntry, type PolicyBook } from './book.ts';
import { readingsOf, withoutHint } from './describe.ts';
import { higherRisk } from '../../terms/risk.ts';
import { longer } from '../../document/rules/term.ts';
import type { ConsideredRule } from '../../contract/considered-rule.ts';

/**
 * A change of who may decide: whatever the policies require for it, an administrator accepts it as well, or one of the space
 * that it is about, by their address.
 */
export function guardPower(
  [first, ...others]: readonly Requirement[],
  defaults: PolicyDefaults,
  ofSpace: readonly string[] = [],
): Requirement {
  const second = secondAdministrator(ofSpace);
  if (!first) return second;
  const required = others.reduce((all, other) => combine(all, other, defaults), first);
  const stages = required.stages.some(asksAdministrator) ? [] : second.stages;
  return combine(required, { ...second, stages }, defaults);
}

/** Is there a seat in it that only an administrator fills? */
const asksAdministrator = ({ complete, groups, escalation }: StagePlan): boolean =>
  complete === 'all' &&
  escalation === null &&
  groups.some(({ approvers }) => approvers.every((source) => source.kind === 'role' && source.role === 'admin'));

/** The requirement for this requester, and whether it is stricter than its policy. */
type Guarded =
  { outcome: 'require'; requirement: Requirement; isRaised: boolean } | { outcome: 'deny'; reason: string };

/**
 * The requester's name is only the claim of the server's key holder until Assentry has checked it. So a policy may
 * demand that check; by default, at medium and high risk, two people must approve, and neither may own the server. The
 * maker of the key never votes on its requests.
 */
function guardRequester(
  requirement: Requirement,
  risk: Risk,
  { requester, defaults }: Pick<Facts, 'requester' | 'defaults'>,
): Guarded {
  const asIs = { outcome: 'require', requirement, isRaised: false } as const;
  if (requester.verifiedBy !== null || requirement.stages.length === 0) return asIs;
  if (requirement.requester === 'verified') return { outcome: 'deny', reason: unchecked };
  const isStrict = requirement.requester === null && defaults.requester === 'verified' && risk !== 'low';
  if (!isStrict) return asIs;
  const stages = needTwo(requirement.stages).map((stage) => ({
    ...stage,
    separation: { ...stage.separation, agentOwner: true },
  }));
  return { outcome: 'require', requirement: { ...requirement, stages }, isRaised: true };
}

const unchecked = 'Assentry must have checked the requester’s access token itself.';

function needTwo(stages: StagePlan[]): StagePlan[] {
  const [stage] = stages;
  if (fewestPersons(stages) > 1) return stages;
  return stages.length === 1 && stage && isOneOfAnyone(stage) ? [withTwo(stage)] : [...stages, second];
}

/** Anyone who votes in several stages is one person, unless voters of earlier stages are kept out. */
function fewestPersons(stages: StagePlan[]): number {
  const counts = stages.map(({ groups, complete, escalation }) => {
    const steps = escalation?.steps ?? [];
    const later = steps.flatMap(({ approve }) => approve ?? []);
    const ways = [{ groups, complete }, ...steps.flatMap(({ stage }) => stage ?? [])];
    return Math.min(...ways.map((way) => fewestIn(way, later)));
  });
  return counts.reduce(
    (most, count, at) => (stages[at]?.separation.earlierVoters ? most + count : Math.max(most, count)),
    0,
  );
}

/** The fewest persons for these groups; `later` are numbers that suffice in each of them after a while. */
function fewestIn({ groups, complete }: Omit<StageRuleInPlace, 'name'>, later: readonly number[]): number {
  const needed = groups.map(({ approve }) => Math.min('count' in approve ? approve.count : 1, ...later));
  return complete === 'all' ? needed.reduce((sum, count) => sum + count, 0) : Math.min(...needed);
}

function isOneOfAnyone({ groups, escalation }: StagePlan): boolean {
  const [group, another] = groups;
  const isAlone = group !== undefined && another === undefined && escalation === null;
  return isAlone && 'count' in group.approve && group.approvers.some(({ kind }) => kind === 'anyone');
}

const withTwo = (stage: StagePlan): StagePlan => ({
  ...stage,
  groups: stage.groups.map((group) => ({ ...group, approve: { count: 2 } })),
});

const second: StagePlan = {
  name: 'Second person',
  complete: 'all',
  groups: [
    { name: 'Second person', approve: { count: 1 }, deny: 1, approvers: [{ kind: 'anyone' }], meaning: 'approved' },
  ],
  escalation: null,
  separation: { ...onlyRequester, earlierVoters: true },
  excluded: [],
};

/**
 * A requirement at least as strict as each of the two: the stages and freeze windows of both, and of each term what the
 * term itself says is the stricter. The name comes from the first.
 */
export const combine = (first: Requirement, second: Requirement, defaults: PolicyDefaults): Requirement => ({
  policy: first.policy,
  stages: [...first.stages, ...second.stages],
  freeze: [...first.freeze, ...second.freeze],
  frozen: [...first.frozen, ...second.frozen],
  ...stricterTerms(first, second, defaults),
});

interface Decided {
  finding: Finding;
  considered: Considered[];
}

/**
 * Decides what a request needs; pure, and the same for the same book and facts. A deny that applies wins; otherwise the
 * highest priority decides, and `require` comes before `allow`. A rule that cannot be evaluated denies or requires if that
 * is what it is for, and never allows. What the policies of the server's space find can only add to what the others find.
 * A hint in a definition that no one has accepted counts only for policies that name the tool.
 */
export function decide(book: PolicyBook, facts: Facts): Verdict {
  const hinted = decideWith(book, facts);
  const bare = withoutHint(facts);
  if (bare === null || isByName(hinted.finding, facts)) return verdictOf(hinted, facts);
  const { finding, considered } = decideWith(book, bare);
  if (isWithin(hinted.finding, finding)) return verdictOf({ finding, considered }, bare);
  const risk = riskOf(requirementIn(finding), considered, bare);
  const both = stricter(finding, hinted.finding, risk, bare);
  const strict = both.outcome === 'require' ? { ...both, raised: 'unaccepted-definition' as const } : both;
  const others = hinted.finding.by.filter((candidate) => !considered.some((other) => isSameRule(other, candidate)));
  return verdictOf({ finding: strict, considered: [...considered, ...others] }, bare);
}

function decideWith(book: PolicyBook, facts: Facts): Decided {
  const considered = consider(book, facts);
  const ofSpace = considered.filter(({ entry }) => entry.spaceId !== null);
  const everywhere = ofSpace.length === 0 ? considered : considered.filter(({ entry }) => entry.spaceId === null);
  const finding = findAmong(everywhere, facts);
  if (!ofSpace.some(counts)) return { finding, considered };
  const risk = riskOf(requirementIn(finding), everywhere, facts);
  return { finding: stricter(finding, findAmong(ofSpace, facts), risk, facts), considered };
}

const findAmong = (considered: Considered[], facts: Facts): Finding =>
  findDenial(considered) ??
  findAllowance(considered, facts) ??
  findConfirmation(considered, facts) ??
  findRequirement(considered, facts);

/** The most policies explained that do not apply; the others are only named. */
const maxExplained = 10;

function consider(book: PolicyBook, facts: Facts, isWanted: (entry: BookEntry) => boolean = () => true): Considered[] {
  const context = book.size === 0 ? null : readContext(facts);
  let passed = 0;
  const evaluate = (condition: BookCondition): Evaluation => {
    const evaluation = evaluateOne(condition, context, passed >= maxExplained);
    passed += Number(evaluation.result === 'not-applied');
    return evaluation;
  };
  const considered: Considered[] = [];
  for (const entry of findCandidates(book, facts, typeof context !== 'string'))
    if (isWanted(entry)) considered.push(...considerRules(entry, evaluate));
  return considered.sort((a, b) => a.rank - b.rank);
}

/** The rules of a policy up to the first that fits: what fails may not have been meant, so the next is looked at as well. */
function considerRules(entry: BookEntry, evaluate: (condition: BookCondition) => Evaluation): Considered[] {
  const shared = evaluate(entry.condition);
  const considered: Considered[] = [];
  for (const { place, rank, rule, condition } of entry.rules) {
    if (shared.result === 'not-applied') return [{ entry, place: null, rank, rule, evaluation: shared }];
    const own = evaluate(condition);
    considered.push({ entry, place, rank, rule, evaluation: both(shared, own) });
    if (own.result === 'applied') break;
  }
  return considered;
}

/** Joins a shared condition that is not false with the condition of one rule. */
function both(shared: Evaluation, own: Evaluation): Evaluation {
  if (own === always) return shared;
  return {
    result: own.result === 'applied' ? shared.result : own.result,
    failure: own.result === 'not-applied' ? null : (shared.failure ?? own.failure),
    clauses: [...shared.clauses, ...own.clauses],
  };
}

const always: Evaluation = { result: 'applied', failure: null, clauses: [] };

/** The variables, or why there are none. */
function readContext(facts: Facts): CelContext | string {
  try {
    return celContext(facts);
  } catch (error) {
    return error instanceof Error ? error.message : 'The request cannot be read.';
  }
}

function evaluateOne(condition: BookCondition, context: CelContext | string | null, isBrief: boolean): Evaluation {
  if (condition === null || context === null) return always;
  if ('failure' in condition) return { result: 'failed', failure: condition.failure, clauses: [] };
  if (typeof context === 'string') return { result: 'failed', failure: context, clauses: [] };
  return evaluateCondition(condition, context, isBrief);
}

const isOutcome =
  <R extends Rule>(outcome: R['outcome']) =>
  (considered: Considered): considered is Considered<R> =>
    considered.rule.outcome === outcome;

const counts = ({ evaluation }: Considered): boolean => evaluation.result !== 'not-applied';
const failed = ({ evaluation }: Considered): boolean => evaluation.result === 'failed';

type Denial = Extract<Finding, { outcome: 'deny' }>;

/** The policy that denies such a request, by name and version, and why; null if none does. */
export function denialOf(book: PolicyBook, facts: Facts): Pick<Denial, 'policy' | 'reason'> | null {
  const isDenying = ({ rules }: BookEntry): boolean => rules.some(({ rule }) => rule.outcome === 'deny');
  return findDenial(readingsOf(facts).flatMap((reading) => consider(book, reading, isDenying)));
}

function findDenial(considered: Considered[]): Denial | null {
  const denial = considered.filter(isOutcome<DenyRule>('deny')).find(counts);
  return denial ? { outcome: 'deny', policy: denial.entry.name, reason: denial.rule.reason, by: [denial] } : null;
}

function findAllowance(considered: Considered[], facts: Facts): Finding | null {
  const allowing = facts.answerable ? findAllowing(considered, facts) : null;
  if (!allowing) return null;
  const { rule, entry } = allowing;
  const frozen = freezing(rule, facts);
  if (frozen.stages.length === 0)
    return { outcome: 'allow', policy: entry.name, sample: rule.sample, freeze: rule.freeze, by: [allowing] };
  return { outcome: 'require', requirement: { ...plainTerms, policy: entry.name, ...frozen }, by: [allowing] };
}

/** Only the first policy that applies may allow, and only if all others could be evaluated. */
function findAllowing(considered: Considered[], facts: Facts): Considered<AllowRule> | null {
  const first = considered.find(counts);
  if (isForPeople(facts) || !first || !isOutcome<AllowRule>('allow')(first) || considered.some(failed)) return null;
  return isAbove(first.rule, facts) ? null : first;
}

/**
 * The requester answers if nothing stricter applies, and all others could be evaluated. What may not allow is passed
 * over.
 */
function findConfirmation(considered: Considered[], facts: Facts): Finding | null {
  const first = considered.filter(counts).find(({ rule }) => rule.outcome !== 'allow');
  if (isForPeople(facts) || !first || !isOutcome<ConfirmRule>('confirm')(first) || considered.some(failed)) return null;
  const { rule, entry } = first;
  if (isAbove(rule, facts)) return null;
  const requirement = { ...plainTerms, policy: entry.name, ...freezing(rule, facts) };
  return { outcome: 'require', requirement, by: [first] };
}

const isAbove = ({ ceiling }: { ceiling: Risk }, { request }: Facts): boolean =>
  risks.indexOf(request.risk) > risks.indexOf(ceiling);

/**
 * The first requirement that applies, with all that could not be evaluated. If none applies: the built-in policy if no
 * policy applies, or if one only cannot allow what a person must fill in; otherwise the strict default.
 */
function findRequirement(considered: Considered[], facts: Facts): Finding {
  const requirements = considered.filter(isOutcome<RequireRule>('require')).filter(counts);
  const by = [...requirements.filter((candidate) => !failed(candidate)).slice(0, 1), ...requirements.filter(failed)];
  const { defaults } = facts;
  const required = by.map((candidate) => requirementOf(candidate, facts));
  if (isOwnRequest(facts))
    return { outcome: 'require', requirement: guardPower(required, defaults, facts.spaceAdministrators), by };
  const [first, ...others] = required;
  if (first)
    return { outcome: 'require', requirement: others.reduce((all, other) => combine(all, other, defaults), first), by };
  if (!considered.some(counts)) return findDefault(facts);
  return findUnfilled(considered, facts) ?? { outcome: 'require', requirement: strictDefault, by: [] };
}

/**
 * Finds a request that is allowed, but has a form that a person must fill in: that question goes where it would without
 * the policy, so that no one else reads it. A freeze of the policy holds.
 */
function findUnfilled(considered: Considered[], facts: Facts): Finding | null {
  const allowing = findAllowing(considered, facts);
  if (facts.answerable || !allowing || !considered.filter(counts).every(isOutcome('allow'))) return null;
  const { rule, entry } = allowing;
  const builtIn = builtInRequirement(facts);
  const frozen = freezing(rule, facts);
  if (frozen.stages.length === 0) return { outcome: 'require', requirement: builtIn, by: [] };
  const requirement = { ...builtIn, policy: entry.name, ...frozen, stages: [...builtIn.stages, ...frozen.stages] };
  return { outcome: 'require', requirement, by: [allowing] };
}

/** The verdict if no policy applies: what is read is allowed. An address is only for the requester. */
function findDefault(facts: Facts): Finding {
  const { request, defaults } = facts;
  if (isUsuallyAllowed(request.tool) && !isOtherReading(request.tool, request.annotations))
    return { outcome: 'allow', policy: builtInPolicy, sample: null, freeze: [], by: [] };
  const requirement = builtInRequirement(facts);
  const isUnknown = saysNothing(request);
  if (isUnknown && defaults.unknownTools === 'deny')
    return { outcome: 'deny', policy: builtInPolicy, reason: unknown, by: [] };
  const isRaised = isUnknown && defaults.unknownTools === 'approvers' && request.mode === 'form';
  if (!isRaised || requirement.stages.length > 0) return { outcome: 'require', requirement, by: [] };
  return { outcome: 'require', requirement: strictDefault, by: [], raised: 'unknown-tool' };
}

const unknown = 'No policy covers this tool, and it does not say whether it only reads or can destroy data.';

function requirementOf({ entry, rule }: Considered<RequireRule>, facts: Facts): Requirement {
  const { outcome: _outcome, separation: _separation, stages: _stages, ...terms } = rule;
  const frozen = freezing(rule, facts);
  return { ...terms, policy: entry.name, ...frozen, stages: [...planStages(rule, entry.authorId), ...frozen.stages] };
}

function freezing({ freeze }: AllowRule | ConfirmRule | RequireRule, { now, startAt }: Facts) {
  const open = openWindows(freeze, Math.max(now, startAt ?? now));
  return { freeze, frozen: open.map(({ name }) => name), stages: open.map(freezeStage) };
}

function verdictOf({ finding, considered }: Decided, facts: Facts): Verdict {
  const written = requirementIn(finding);
  const policy = finding.outcome === 'require' ? written.policy : finding.policy;
  const risk = riskOf(written, considered, facts);
  const guarded = guardRequester(written, risk, facts);
  if (guarded.outcome === 'deny')
    return verdictOf({ finding: { ...guarded, policy, by: finding.by }, considered }, facts);
  // The requester is not verified: a standing approval covers low risk only.
  const grant = facts.requester.verified || risk === 'low' ? written.grant : null;
  const requirement = { ...guarded.requirement, grant };
  const reason = finding.outcome === 'deny' ? finding.reason : null;
  const sample = finding.outcome === 'allow' ? finding.sample : null;
  const raised: PolicyClause[] = [
    ...(finding.outcome === 'require' && finding.raised ? [{ kind: 'raised', because: finding.raised } as const] : []),
    ...(guarded.isRaised ? [{ kind: 'raised', because: 'unchecked-requester' } as const] : []),
  ];
  return {
    ...requirement,
    policy,
    outcome: finding.outcome,
    audience: finding.outcome === 'require' && requirement.stages.length === 0 ? 'requester' : 'approvers',
    risk,
    reason,
    sample,
    explanation: {
      policy,
      outcome: finding.outcome,
      terms: [
        ...raised,
        ...describeRequirement(finding.outcome, requirement, reason),
        ...(sample === null ? [] : [{ kind: 'sampled', percent: sample } as const]),
      ],
      ...explainAll(considered, finding.by),
    },
  };
}

/** A policy may lower the computed risk, but not if an evaluation failed. */
function riskOf(required: Requirement, considered: Considered[], { request }: Facts): Risk {
  const written = required.risk ?? request.risk;
  return considered.some(failed) ? higherRisk(written, request.risk) : written;
}

/** Explains the first policies that do not apply, and only names the others: hundreds may be about anything. */
function explainAll(considered: Considered[], by: Considered[]): Pick<Explanation, 'considered' | 'passedOver'> {
  const others = new Set(considered.filter((candidate) => !counts(candidate)).slice(maxExplained));
  return {
    considered: considered
      .filter((candidate) => !others.has(candidate))
      .map((candidate) => considerationOf(candidate, by)),
    ...(others.size > 0 && { passedOver: [...new Set([...others].map(({ entry }) => entry.name))] }),
  };
}

const considerationOf = (candidate: Considered, by: Considered[]): ConsideredRule => ({
  policy: candidate.entry.name,
  ...(candidate.place !== null && { rule: candidate.place }),
  outcome: candidate.rule.outcome,
  result: candidate.evaluation.result,
  failure: candidate.evaluation.failure,
  decided: by.includes(candidate),
  clauses: candidate.evaluation.clauses,
});

const minute = 60_000;
const day = 1_440;

/**
 * Moves a time within quiet hours to their end; milliseconds since 1970. If the clocks change in between, the end is
 * when the local clock shows it, or the first moment after the skipped hour.
 */
export function afterQuietHours(at: number, quiet: QuietHours): number {
  if (!isQuiet(at, quiet)) return at;
  const full = Math.floor(at / minute) * minute;
  const wait = (quiet.until - minutesOf(full, quiet) + day) % day;
  const guess = full + wait * minute;
  let end = guess - (offsetOf(guess, quiet.timeZone) - offsetOf(full, quiet.timeZone));
  // Around a skipped or repeated hour the guess is off by at most that hour.
  while (isQuiet(end, quiet)) end += minute;
  return end;
}

/** The times after opening that fall before the deadline, out of the quiet hours, in order and each once. */
export function remindersBetween(
  openedAt: number,
  deadlineAt: number,
  { reminders, quietHours }: { reminders: readonly number[]; quietHours: QuietHours | null },
): number[] {
  const times = reminders.map((after) => openedAt + after);
  const moved = quietHours ? times.map((at) => afterQuietHours(at, quietHours)) : times;
  return [...new Set(moved)].filter((at) => at < deadlineAt).sort((a, b) => a - b);
}

function isQuiet(at: number, quiet: QuietHours): boolean {
  const { from, until } = quiet;
  const shown = minutesOf(at, quiet);
  return from < until ? from <= shown && shown < until : from <= shown || shown < until;
}

function minutesOf(at: number, { timeZone }: QuietHours): number {
  const { hour, minute: past } = localTime(at, timeZone);
  return hour * 60 + past;
}

/** A rule of a policy that was looked at, or the first one of a policy whose own condition is false. */
export interface Considered<R extends Rule = Rule> {
  entry: BookEntry;
  /** From 1; null if the policy has one rule, or none was looked at. */
  place: number | null;
  rank: number;
  rule: R;
  evaluation: Evaluation;
}

/** The result of one way to decide; `by` are the policies it comes from. */
export type Finding =
  | { outcome: 'deny'; policy: string; reason: string; by: Considered[] }
  | { outcome: 'allow'; policy: string; sample: number | null; freeze: FreezeWindow[]; by: Considered[] }
  | { outcome: 'require'; requirement: Requirement; by: Considered[]; raised?: RaisedBecause | undefined };

/** The finding that satisfies both. The second weakens nothing of the first, by global policies; `risk` is the first's. */
export function stricter(first: Finding, second: Finding, risk: Risk, { defaults }: Facts): Finding {
  if (first.outcome === 'deny') return first;
  if (second.outcome === 'deny') return second;
  const freeze = [...freezeIn(first), ...freezeIn(second)];
  const by = [...first.by, ...second.by];
  if (first.outcome === 'allow' && second.outcome === 'allow')
    return { ...second, sample: longer(first.sample, second.sample), freeze, by };
  const requirement =
    first.outcome === 'require' && second.outcome === 'require'
      ? combine(first.requirement, second.requirement, defaults)
      : { ...requirementIn(first.outcome === 'require' ? first : second), freeze };
  const isByDefault = first.outcome === 'require' && second.outcome === 'require' && first.by.length === 0;
  return {
    outcome: 'require',
    requirement: {
      ...requirement,
      policy: isByDefault ? second.requirement.policy : requirement.policy,
      risk: higherRisk(risk, requirement.risk ?? risk),
    },
    by,
    raised: first.outcome === 'require' ? first.raised : undefined,
  };
}

const freezeIn = (finding: Exclude<Finding, { outcome: 'deny' }>): FreezeWindow[] =>
  finding.outcome === 'require' ? finding.requirement.freeze : finding.freeze;

/** The requirement of a finding; the usual terms if it requires nothing. */
const requirementIn = (finding: Finding): Requirement =>
  finding.outcome === 'require' ? finding.requirement : { ...strictDefault, stages: [] };

/** Is it decided by policies alone that name the tool, letter by letter? */
const isByName = ({ by }: Finding, { request }: Facts): boolean =>
  by.length > 0 && by.every(({ entry }) => entry.document.match.tool?.includes(request.tool) === true);

/** Does the second finding come from all that the first comes from, with the same outcome? */
export const isWithin = (first: Finding, second: Finding): boolean =>
  first.outcome === second.outcome &&
  first.by.every((candidate) => second.by.some((other) => isSameRule(other, candidate)));

const isSameRule = (a: Considered, b: Considered): boolean => a.entry.name === b.entry.name && a.rank === b.rank;
