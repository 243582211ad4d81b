import { risks, type Risk } from '#requests/asking/contract/elicitation';
import type { PolicyClause } from '../../contract/clause.ts';
import { celContext, type CelContext } from '../../../language/rules/expression/context.ts';
import { evaluateCondition, type Evaluation } from '../../../language/rules/expression/expression.ts';
import { combine } from './combine.ts';
import { isByName, isSameRule, isWithin, requirementIn, stricter, type Considered, type Finding } from './finding.ts';
import { isOtherReading, isUsuallyAllowed } from '#platform/model/names';
import { builtInPolicy } from '../../../document/rules/verdict/built-in-policy.ts';
import { describeRequirement } from '../../../document/rules/verdict/describe-requirement.ts';
import type { Facts } from '../../../document/rules/document/facts.ts';
import { freezeStage, openWindows } from '../stages/freeze.ts';
import { guardPower } from './guard-power.ts';
import { guardRequester } from './guard-requester.ts';
import { findCandidates, type BookCondition, type BookEntry, type PolicyBook } from '../book.ts';
import type {
  AllowRule,
  ConfirmRule,
  DenyRule,
  RequireRule,
  Rule,
} from '../../../document/rules/document/policy-document.ts';
import { planStages } from '../../../document/rules/stages/stage-plan.ts';
import {
  builtInRequirement,
  isForPeople,
  isOwnRequest,
  saysNothing,
  strictDefault,
  type Requirement,
} from '../../../document/rules/stages/strict-default.ts';
import { plainTerms } from '../../../document/rules/document/term-list.ts';
import { readingsOf, withoutHint } from '../describe/unaccepted.ts';
import { higherRisk } from '../../../terms/risk.ts';
import type { Consideration, Explanation, Verdict } from '../../../document/rules/verdict/verdict.ts';

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

/** Of policies that do not apply, so many are explained; the others are only named. */
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

/** Of a condition that holds for the whole policy, and not false, and that of one of its rules. */
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
 * What is allowed except that a person must fill in its form: that question goes where it would without the policy, so
 * that no one else reads it. A freeze of the policy holds.
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

/** Those that do not apply after the first of them are named and no more: hundreds may be about anything. */
function explainAll(considered: Considered[], by: Considered[]): Pick<Explanation, 'considered' | 'passedOver'> {
  const others = new Set(considered.filter((candidate) => !counts(candidate)).slice(maxExplained));
  return {
    considered: considered
      .filter((candidate) => !others.has(candidate))
      .map((candidate) => considerationOf(candidate, by)),
    ...(others.size > 0 && { passedOver: [...new Set([...others].map(({ entry }) => entry.name))] }),
  };
}

const considerationOf = (candidate: Considered, by: Considered[]): Consideration => ({
  policy: candidate.entry.name,
  ...(candidate.place !== null && { rule: candidate.place }),
  outcome: candidate.rule.outcome,
  result: candidate.evaluation.result,
  failure: candidate.evaluation.failure,
  decided: by.includes(candidate),
  clauses: candidate.evaluation.clauses,
});
