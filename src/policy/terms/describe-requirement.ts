import { sayDuration } from './duration.ts';
import { sayJustification } from './justification.ts';
import {
  chatToApprovers,
  type ApproverSource,
  type ChatTerms,
  type EscalationRule,
  type GrantTerms,
  type GroupRule,
  type QuietHours,
  type Terms,
} from './policy-document.ts';
import type { Requirement } from './strict-default.ts';
import type { Outcome, StagePlan } from './verdict.ts';

/** What a verdict asks for, one thing a sentence, in plain English. */
export function describeRequirement(outcome: Outcome, requirement: Requirement, reason: string | null): string[] {
  if (outcome === 'allow') return ['It is allowed without asking anybody.'];
  if (outcome === 'deny') return [`It is denied: ${reason ?? ''}`];
  if (requirement.stages.length === 0) return ['The person at the MCP client answers this one.'];
  const { stages, frozen } = requirement;
  return [
    ...frozen.map((name) => `The freeze window ${name} is open.`),
    ...stages.map((stage, index) => describeStage(stage, stages.length > 1 ? index + 1 : null)),
    ...stages.flatMap(({ name, escalation }) =>
      escalation ? [describeEscalation(escalation, stages.length > 1 ? name : null)] : [],
    ),
    describeSeparation(stages),
    ...describeTerms(requirement),
  ];
}

export const sayList = (parts: readonly string[], word: 'and' | 'or'): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1) ?? ''}`;

function saySource(source: ApproverSource): string {
  switch (source.kind) {
    case 'anyone':
      return 'anyone who may vote';
    case 'user':
      return source.email;
    case 'group':
      return `the group ${source.name}`;
    case 'role':
      return `the role ${source.role}`;
    case 'manager':
      return "the requester's manager";
    case 'owner':
      return "the server's owner";
    case 'cel':
      return `those for whom ${source.expression} holds`;
  }
}

const saySources = (sources: ApproverSource[]): string => sayList(sources.map(saySource), 'or');

/** So many of these; of a source that is one person, the person. */
export function sayNeed(count: number | string, sources: ApproverSource[]): string {
  const [only, another] = sources;
  if (count === 1 && only && !another && ['user', 'manager', 'owner'].includes(only.kind)) return saySource(only);
  return `${count === 1 ? 'one' : count} of ${saySources(sources)}`;
}

function describeStage({ name, groups, complete }: StagePlan, position: number | null): string {
  const parts = groups.map((group) => describeGroup(group, groups.length > 1));
  const needed = sayList(parts, complete === 'all' ? 'and' : 'or');
  return `${position === null ? '' : `Stage ${position}, `}${name}: ${needed} must approve; ${sayDenials(groups, complete)}.`;
}

function describeGroup(group: GroupRule, isNamed: boolean): string {
  const { approvers, approve, meaning, name } = group;
  const need = sayNeed('percent' in approve ? `${approve.percent}%` : approve.count, approvers);
  const signed = meaning === 'approved' ? '' : ` as ${meaning}`;
  return `${isNamed ? `${name}: ` : ''}${need}${signed}`;
}

function sayDenials(groups: GroupRule[], complete: StagePlan['complete']): string {
  const isAny = groups.length > 1 && complete === 'any';
  if (isAny) return 'it ends when each of them is refused';
  const counts = [...new Set(groups.map(({ deny }) => deny))];
  if (counts.join() === '1') return 'one refusal ends it';
  if (groups.length === 1) return `${counts.join()} refusals end it`;
  const each = groups.map(({ name, deny }) => `${deny === 1 ? 'one refusal' : `${deny} refusals`} in ${name}`);
  return `${sayList(each, 'or')} end it`;
}

/** `stage` where there are several. */
function describeEscalation({ steps, loops, end }: EscalationRule, stage: string | null): string {
  const moves = steps.map(
    ({ after, mode, approvers }) =>
      `after ${sayDuration(after)} ${saySources(approvers)} may vote ${mode === 'add' ? 'too' : 'instead'}`,
  );
  const again = loops === 1 ? '' : `, in ${loops} rounds`;
  return `${stage === null ? 'If' : `In ${stage}, if`} nobody decides, ${sayList(moves, 'and')}${again}${end === 'deny' ? '; then it is denied' : ''}.`;
}

function describeSeparation(stages: StagePlan[]): string {
  const some = (read: (stage: StagePlan) => boolean): boolean => stages.some(read);
  const users = [
    'the requester',
    ...(some(({ separation }) => separation.agentOwner) ? ["the owner of the agent's server"] : []),
    ...(some(({ separation }) => separation.editor) ? ['whoever edited the request'] : []),
    ...(some(({ excluded }) => excluded.length > 0) ? ["the policy's author"] : []),
    ...(some(({ separation }) => separation.earlierVoters) ? ['whoever voted in an earlier stage'] : []),
  ];
  return `May not vote: ${sayList(users, 'and')}.`;
}

function describeTerms(terms: Terms): string[] {
  const { deadline, onTimeout, reminders, quietHours, freshSignIn, notBefore, editable, grant, chat, justification } =
    terms;
  return [
    ...(deadline === null
      ? []
      : [`After ${sayDuration(deadline)} it ${onTimeout === 'deny' ? 'is denied' : 'expires'}.`]),
    ...(reminders.length === 0
      ? []
      : [`Reminders after ${sayList(reminders.map(sayDuration), 'and')}${sayQuiet(quietHours)}.`]),
    ...justification.requester.map((rule) => `The requester gives a reason${sayJustification(rule)}.`),
    ...justification.approver.map((rule) => `Each vote gives a reason${sayJustification(rule)}.`),
    ...(freshSignIn === null ? [] : [`A vote needs a password given within ${sayDuration(freshSignIn)}.`]),
    ...(notBefore ? ['The requester may set when it starts; approvers may move that later.'] : []),
    ...(editable === null ? [] : [`Approvers may change ${sayList(Object.keys(editable), 'and')}.`]),
    ...(grant === null ? [] : [sayGrant(grant)]),
    ...(chat === null ? [] : [sayChat(chat)]),
  ];
}

function sayGrant({ longest, uses, budget, same }: GrantTerms): string {
  const limits = [
    ...(uses === null ? [] : [uses === 1 ? 'once' : `${uses} times`]),
    ...(budget === null ? [] : [`${budget.total} of ${budget.argument}`]),
  ];
  const what = same.length === 0 ? 'the same' : `the same ${sayList(same, 'and')}`;
  const most = limits.length === 0 ? '' : `, ${sayList(limits, 'and')} at most`;
  return `Approvers may allow ${what} for up to ${sayDuration(longest)}${most}.`;
}

function sayChat({ to, vote }: ChatTerms): string {
  const told = to === chatToApprovers ? 'Each approver is told in chat' : `The channel ${to} is told in chat`;
  return vote ? `${told}, with what is asked; they may vote there.` : `${told}; what is asked stays here.`;
}

const sayQuiet = (quiet: QuietHours | null): string =>
  quiet === null ? '' : `, not between ${sayTime(quiet.from)} and ${sayTime(quiet.until)} in ${quiet.timeZone}`;

const sayTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
