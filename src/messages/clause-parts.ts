import * as englishAsides from '#locales/policies-asides.en';
import type * as clauseWords from '#locales/policies-clauses.en';
import { formatReason, type FormWords } from './english-faults.ts';
import { isBuiltInRole } from '#people/directory/contract/permission';
import type { PolicyAside } from '#policies/contract/policy';
import type {
  ApproverSource,
  ClauseGroup,
  ClauseMatch,
  ClauseStep,
  PolicyClause,
  Share,
} from '#policies/deciding/contract/clause';
import { isVouched } from '#people/directory/contract/presence';
import { clockTime } from '#platform/text/clock-time';
import type { Formats } from '#platform/text/formats';

/** What one language has to say clauses with. */
export interface ClauseLanguage {
  words: typeof clauseWords;
  forms: FormWords;
  formats: Formats;
}

type Kind = PolicyClause['kind'];
type Clause<K extends Kind> = Extract<PolicyClause, { kind: K }>;

/** One thing a policy says, as a sentence. */
export const formatClause = (clause: PolicyClause, language: ClauseLanguage): string =>
  (sentences[clause.kind] as (clause: PolicyClause, language: ClauseLanguage) => string)(clause, language);

/** Of each kind of clause. */
const sentences: { [K in Kind]: (clause: Clause<K>, language: ClauseLanguage) => string } = {
  applies: ({ to, when }, language) => language.words.clauses.applies(formatMatch(to, language), when),
  rule: ({ position, when }, { words }) => words.clauses.rule(position, when),
  retired: ({ reason }, { words }) => words.clauses.retired(reason),
  unreadable: (_, { words }) => words.clauses.unreadable,
  'commands-by-part': (_, { words }) => words.clauses['commands-by-part'],
  denied: ({ reason }, { words }) => words.clauses.denied(reason),
  allowed: ({ ceiling, until }, { words }) =>
    words.clauses.allowed(ceiling && words.risks[ceiling], until ? formatMoment(until) : null),
  sampled: ({ percent }, { words }) => words.clauses.sampled(percent),
  requester: (_, { words }) => words.clauses.requester,
  confirmed: ({ ceiling }, { words }) => words.clauses.confirmed(words.risks[ceiling]),
  raised: ({ because }, { words }) => words.clauses.raised[because],
  'checked-requester': (_, { words }) => words.clauses['checked-requester'],
  frozen: ({ window }, { words }) => words.clauses.frozen(window),
  stage: formatStage,
  escalation: formatEscalation,
  separation: ({ excluded }, { words }) =>
    capital(words.clauses.separation(excluded.map((person) => words.separated[person]))),
  risk: ({ risk }, { words }) => words.clauses.risk(words.risks[risk]),
  deadline: ({ outcome, after }, { words }) => words.clauses.deadline(outcome, after),
  reminders: ({ after, quiet }, { words, formats }) =>
    words.clauses.reminders(
      after.map(formats.duration),
      quiet ? words.quiet(clockTime(quiet.from), clockTime(quiet.until), quiet.timeZone) : '',
    ),
  justification: (clause, { words, forms }) => words.clauses.justification(clause.from, formatReason(clause, forms)),
  confirmation: ({ path, text }, { words }) => words.clauses.confirmation(path, text),
  'fresh-sign-in': ({ within }, { words }) => words.clauses['fresh-sign-in'](within),
  presence: ({ needed }, { words }) =>
    needed === 'passkey'
      ? words.clauses.presence.passkey
      : words.clauses.presence.signIn(isVouched(needed) ? needed.acr : null),
  'reading-time': ({ within }, { words }) => words.clauses['reading-time'](within),
  pace: ({ approvals, hasty, within }, { words }) =>
    [
      ...(approvals === null ? [] : [words.clauses.pace.approvals(approvals, within)]),
      ...(hasty === null ? [] : [words.clauses.pace.hasty(hasty, within)]),
    ].join(' '),
  start: (_, { words }) => words.clauses.start,
  editable: (clause, { words }) => words.clauses.editable(clause.arguments),
  facts: ({ labels }, { words }) => words.clauses.facts(labels),
  kept: ({ within }, { words }) => words.clauses.kept(within),
  undo: ({ within }, { words }) => words.clauses.undo(within),
  grant: ({ longest, uses, budget, same }, { words }) =>
    words.clauses.grant(same, longest, [
      ...(uses === null ? [] : [words.limits.uses(uses)]),
      ...(budget === null ? [] : [words.limits.budget(budget.total, budget.argument)]),
    ]),
  chat: ({ channel, vote }, { words }) => words.clauses.chat(channel, vote),
  notify: (
    { channels, urgent },
    {
      words: {
        clauses: { notify },
        ways,
      },
    },
  ) =>
    [
      ...(channels === null
        ? []
        : [channels.length === 0 ? notify.nowhere : notify.only(channels.map((way) => ways[way]))]),
      ...(urgent ? [notify.urgent] : []),
    ].join(' '),
  freeze: ({ from, until, window, approvers }, language) =>
    language.words.clauses.freeze(
      formatMoment(from),
      formatMoment(until),
      window,
      formatNeed({ count: 1 }, approvers, language),
    ),
};

function formatMatch(
  { tool, server, mode, risk, annotations, audience }: ClauseMatch,
  { words: { match, modes, risks }, formats }: ClauseLanguage,
): string {
  const hints = annotations.map(({ name, value }) => `${name} ${value}`);
  const parts = [
    tool === null ? match.anyTool : formats.any(tool),
    ...(server === null ? [] : [match.server(server)]),
    ...(mode === null ? [] : [match.mode(mode.map((name) => modes[name]))]),
    ...(risk === null ? [] : [match.risk(risk.map((level) => risks[level]))]),
    ...(hints.length === 0 ? [] : [match.hints(hints)]),
    ...(audience === null ? [] : [match.audiences[audience]]),
  ];
  return parts.join(' ');
}

/** "Stage 1, Lead: needs 2 approvals from the group ops. It ends if 1 person declines." */
function formatStage({ position, name, groups, complete }: Clause<'stage'>, language: ClauseLanguage): string {
  const needs = groups.map((group) => formatGroup(group, groups.length > 1, language));
  const denials = formatDenials(groups, complete, language);
  return language.words.clauses.stage(position, name, language.formats[complete](needs), denials);
}

function formatGroup(
  { need, approvers, meaning, name }: ClauseGroup,
  isNamed: boolean,
  language: ClauseLanguage,
): string {
  const notes = [...(isNamed ? [name] : []), ...(meaning === 'approved' ? [] : [language.words.meanings[meaning]])];
  return `${formatNeed(need, approvers, language)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** How many of whom: "2 approvals from the group ops". */
export function formatNeed(need: Share, approvers: readonly ApproverSource[], { words }: ClauseLanguage): string {
  const who = approvers.map((source) => formatSource(source, words));
  if (isOnePerson(need, approvers)) return words.need.one(who);
  if ('percent' in need) return words.need.share(need.percent, who);
  const oneOf = approvers.map((source) =>
    source.kind === 'anyone' ? words.sources.anyOf : formatSource(source, words),
  );
  return words.need.several(need.count, oneOf);
}

function formatSource(source: ApproverSource, { sources, roles }: typeof clauseWords): string {
  switch (source.kind) {
    case 'user':
      return source.email;
    case 'group':
      return sources.group(source.name);
    case 'role':
      return isBuiltInRole(source.role) ? roles[source.role] : sources.role(source.role);
    case 'cel':
      return sources.cel(source.expression);
    default:
      return sources[source.kind];
  }
}

function formatDenials(groups: ClauseGroup[], complete: 'all' | 'any', { words: { denials } }: ClauseLanguage): string {
  if (groups.length > 1 && complete === 'any') return denials.everyGroup;
  const [first] = groups;
  if (!deniesPerGroup(groups) && first) return denials.together(first.deny);
  return denials.apart(
    groups.map(({ name, deny }) => denials.inGroup(deny, name)),
    groups.at(-1)?.deny ?? 0,
  );
}

function formatEscalation({ stage, steps, rounds, end }: Clause<'escalation'>, language: ClauseLanguage): string {
  const isAsBefore = steps.every((step) => step.approve === null && !step.stage);
  const each = steps.map((step) => formatStep(step, language)).join(language.words.semicolon);
  return language.words.clauses.escalation(stage, each, isAsBefore, rounds, end);
}

function formatStep({ after, mode, approvers, approve, stage }: ClauseStep, language: ClauseLanguage): string {
  const { words } = language;
  if (stage) return words.stepInPlace(after, formatInPlace(stage, language));
  return words.step(
    after,
    approvers.map((source) => formatSource(source, words)),
    mode,
    approve,
  );
}

/** "CFO (1 approval from the group board)" */
function formatInPlace({ name, groups, complete }: NonNullable<ClauseStep['stage']>, language: ClauseLanguage): string {
  const needs = groups.map((group) => {
    const ended = group.deny === 1 ? '' : language.words.denials.ended(group.deny);
    return `${formatGroup(group, groups.length > 1, language)}${ended}`;
  });
  return `${name} (${language.formats[complete](needs)})`;
}

/** Is one approval of one certain person needed? */
const isOnePerson = (need: Share, [source, another]: readonly ApproverSource[]): boolean =>
  'count' in need &&
  need.count === 1 &&
  source !== undefined &&
  another === undefined &&
  ['user', 'manager', 'owner'].includes(source.kind);

/** Must the number of people who decline be told for each group? */
const deniesPerGroup = (groups: ClauseGroup[]): boolean => groups.length > 1 && groups.some(({ deny }) => deny !== 1);

/** As policies write it: "2026-12-24T00:00:00Z". */
const formatMoment = (at: number): string => new Date(at).toISOString().replace(/\.000Z$/, 'Z');

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Why a policy that was tried does not decide a call, and what to do about it. */
export const formatAside = (aside: PolicyAside, words: typeof englishAsides = englishAsides): string =>
  words.whole(formatCause(aside, words.because));

function formatCause(aside: PolicyAside, because: typeof englishAsides.because): string {
  switch (aside.kind) {
    case 'condition':
      return because.condition(aside.clauses);
    case 'failed':
      return because.failed(aside.failure);
    case 'ceiling':
      return because.ceiling(aside.ceiling, aside.risk);
    case 'other-failed':
    case 'outranked':
      return because[aside.kind](aside.policy);
    default:
      return because[aside.kind];
  }
}
