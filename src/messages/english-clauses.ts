import { formatReason } from './english-faults.ts';
import { isVouched } from '#people/directory/contract/presence';
import type { Risk } from '#requests/asking/contract/elicitation';
import type {
  ClauseGroup,
  ClauseMatch,
  Share,
  ApproverSource,
  ClauseStep,
  PolicyClause,
} from '#policies/deciding/contract/clause';
import type { SeparatedPerson } from '#policies/deciding/contract/clause';
import { isBuiltInRole, type BuiltInRole } from '#people/directory/contract/permission';
import type { Meaning } from '#requests/voting/contract/quorum';
import { clockTime } from '#platform/text/clock-time';
import { deniesPerGroup, isOnePerson, moment } from './clause-parts.ts';
import { formatsIn } from '#platform/text/formats';

const { all, any, count, duration, number, percent } = formatsIn('en');

type Clause<K extends PolicyClause['kind']> = Extract<PolicyClause, { kind: K }>;

/** One thing a policy says, as a sentence. */
export const formatClause = (clause: PolicyClause): string =>
  (sentences[clause.kind] as (clause: PolicyClause) => string)(clause);

/** Of each kind of clause. */
const sentences: { [K in PolicyClause['kind']]: (clause: Clause<K>) => string } = {
  applies: (clause) => `Applies to ${formatMatch(clause.to)}${clause.when === null ? '' : ` when ${clause.when}`}.`,
  rule: formatRule,
  retired: (clause) => `Retired, decides nothing: ${clause.reason}`,
  unreadable: () => 'This version can no longer be read.',
  'commands-by-part': () =>
    'It allows shell commands by their beginning, or by a part of them: another command can run. Publish a new version with runsOnly.',
  denied: (clause) => `Denied: ${clause.reason}`,
  allowed: (clause) =>
    `Runs without approval${clause.ceiling === null ? '' : ` up to ${risks[clause.ceiling]}`}${clause.until ? `, until ${moment(clause.until)}` : ''}.`,
  sampled: (clause) => `A person looks at ${percent(clause.percent)} of these later.`,
  requester: () => 'The person at the MCP client answers.',
  confirmed: (clause) => `The person at the MCP client answers, up to ${risks[clause.ceiling]}.`,
  raised: (clause) => raised[clause.because],
  'checked-requester': () => 'Assentry must have checked the requester’s access token.',
  frozen: (clause) => `The freeze window ${clause.window} is in effect.`,
  stage: formatStage,
  escalation: formatEscalation,
  separation: (clause) => `${capital(all(clause.excluded.map((person) => separated[person])))} can’t vote.`,
  risk: (clause) => `Counts as ${risks[clause.risk]}, whatever the call does.`,
  deadline: (clause) => `${clause.outcome === 'deny' ? 'Declined' : 'Expires'} after ${duration(clause.after)}.`,
  reminders: (clause) => `Reminders after ${all(clause.after.map(duration))}${formatQuiet(clause)}.`,
  justification: (clause) =>
    `${clause.from === 'requester' ? 'The requester must give a reason' : 'Each vote needs a reason'}${formatReason(clause)}.`,
  confirmation: (clause) =>
    clause.path === null
      ? `Approving needs “${clause.text}” typed.`
      : `Approving needs the value of ${clause.path} typed.`,
  'fresh-sign-in': (clause) => `Voting needs a sign-in or confirmation of the last ${duration(clause.within)}.`,
  presence: ({ needed }) => {
    if (needed === 'passkey') return 'Approving needs the signature of a passkey.';
    const where = isVouched(needed) ? ` at an identity provider that confirms it as ${needed.acr}` : '';
    return `Approving needs a sign-in of the last ten minutes${where}.`;
  },
  'reading-time': (clause) => `Approving is possible ${duration(clause.within)} after the request was shown.`,
  pace: formatPace,
  start: () => 'The requester can set a start time, and approvers can move it later.',
  editable: (clause) => `Approvers can change ${all(clause.arguments)}.`,
  facts: (clause) => `Approvers see ${all(clause.labels)} next to the buttons.`,
  kept: (clause) => `Content is erased ${duration(clause.within)} after the end of a request.`,
  undo: (clause) => `A complete approval can be taken back for ${duration(clause.within)} before the call runs.`,
  grant: formatGrant,
  chat: (clause) =>
    `${clause.channel === null ? 'Each approver is' : `The channel ${clause.channel} is`} notified in chat${clause.vote ? ', sees the request and can vote there' : '; the details stay in the console'}.`,
  notify: formatNotify,
  freeze: (clause) =>
    `From ${moment(clause.from)} until ${moment(clause.until)} (${clause.window}), it also needs ${formatNeed({ count: 1 }, clause.approvers)}.`,
};

const raised = {
  'unknown-tool':
    'No policy covers this tool, and it doesn’t say whether it only reads or can destroy data, so approvers decide.',
  'unaccepted-definition':
    'That it only reads is the server’s own claim, and no one has accepted the tool’s definition yet, so the claim doesn’t count.',
  'unchecked-requester':
    'Assentry hasn’t checked who is asking, so two people must approve. Neither may own the server or have made its key.',
};

const ways = { email: 'by email', push: 'in their browsers' };

function formatNotify({ channels, urgent }: Clause<'notify'>): string {
  return [
    ...(channels === null
      ? []
      : [
          channels.length === 0
            ? 'No one is notified by email or in a browser.'
            : `Approvers are notified only ${any(channels.map((channel) => ways[channel]))}.`,
        ]),
    ...(urgent
      ? ['Notifications come in quiet hours and before digests as well, unless a person has turned that off.']
      : []),
  ].join(' ');
}

function formatPace({ approvals, hasty, within }: Clause<'pace'>): string {
  return [
    ...(approvals === null
      ? []
      : [
          `After ${number(approvals)} approvals within ${duration(within)}, a person waits until the first is that long ago.`,
        ]),
    ...(hasty === null
      ? []
      : [`After ${number(hasty)} approvals in a row, each in under 5 seconds, a person waits ${duration(within)}.`]),
  ].join(' ');
}

function formatMatch({ tool, server, mode, risk, annotations, audience }: ClauseMatch): string {
  const parts = [
    tool === null ? 'any tool' : any(tool),
    ...(server === null ? [] : [`on ${any(server)}`]),
    ...(mode === null ? [] : [`in ${any(mode)} mode`]),
    ...(risk === null ? [] : [`at ${any(risk.map((level) => risks[level]))}`]),
    ...(annotations.length === 0 ? [] : [`with ${all(annotations.map(({ name, value }) => `${name} ${value}`))}`]),
    ...(audience === null ? [] : [audience === 'approvers' ? 'asking approvers' : 'asking the requester']),
  ];
  return parts.join(' ');
}

/** "Rule 2, otherwise when request.args.amount > 10:" */
function formatRule({ position, when }: Clause<'rule'>): string {
  const parts = [...(position === 1 ? [] : ['otherwise']), ...(when === null ? [] : [`when ${when}`])];
  return `Rule ${number(position)}, ${parts.join(' ')}:`;
}

/** "Stage 1, Lead: needs 2 approvals from the group ops. It ends if 1 person declines." */
function formatStage({ position, name, groups, complete }: Clause<'stage'>): string {
  const needs = groups.map((group) => formatGroup(group, groups.length > 1));
  const needed = `needs ${complete === 'all' ? all(needs) : any(needs)}`;
  const place = position === null ? '' : `Stage ${number(position)}, `;
  return `${place}${name}: ${needed}. ${formatDenials(groups, complete)}`;
}

function formatGroup({ need, approvers, meaning, name }: ClauseGroup, isNamed: boolean): string {
  const notes = [...(isNamed ? [name] : []), ...(meaning === 'approved' ? [] : [meanings[meaning]])];
  return `${formatNeed(need, approvers)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** How many of whom: "2 approvals from the group ops". */
export function formatNeed(need: Share, approvers: readonly ApproverSource[]): string {
  if (isOnePerson(need, approvers)) return `approval from ${formatSources(approvers)}`;
  if ('percent' in need) return `approval from ${percent(need.percent)} of ${formatSources(approvers)}`;
  return `${count(need.count, { one: 'approval', other: 'approvals' })} from ${formatSources(approvers)}`;
}

const formatSources = (sources: readonly ApproverSource[]): string => any(sources.map(formatSource));

function formatSource(source: ApproverSource): string {
  switch (source.kind) {
    case 'anyone':
      return 'anyone who can vote';
    case 'user':
      return source.email;
    case 'group':
      return `the group ${source.name}`;
    case 'role':
      return isBuiltInRole(source.role) ? roles[source.role] : `the role ${source.role}`;
    case 'manager':
      return 'the requester’s manager';
    case 'owner':
      return 'the server’s owner';
    case 'cel':
      return `people for whom ${source.expression} is true`;
  }
}

const voters = { one: 'person', other: 'people' };

function formatDenials(groups: ClauseGroup[], complete: 'all' | 'any'): string {
  if (groups.length > 1 && complete === 'any') return 'It ends when every group has declined.';
  const apart = deniesPerGroup(groups);
  const [first] = groups;
  if (!apart && first) return `It ends if ${count(first.deny, voters)} ${first.deny === 1 ? 'declines' : 'decline'}.`;
  return `It ends if ${any(groups.map(({ name, deny }) => `${count(deny, voters)} in ${name}`))} ${groups.at(-1)?.deny === 1 ? 'declines' : 'decline'}.`;
}

function formatEscalation({ stage, steps, rounds, end }: Clause<'escalation'>): string {
  const start = stage === null ? 'If no one decides' : `If no one decides in ${stage}`;
  const again = rounds === 1 ? '' : ` This repeats for ${number(rounds)} rounds.`;
  const needed = steps.every((step) => step.approve === null && !step.stage)
    ? ' As many approvals are needed as before.'
    : '';
  return `${start}: ${steps.map(formatStep).join('; ')}.${needed}${again}${end === 'deny' ? ' Then it is declined.' : ''}`;
}

function formatStep({ after, mode, approvers, approve, stage }: ClauseStep): string {
  if (stage) return `after ${duration(after)}, in place of it: ${formatInPlace(stage)}, and voting starts again`;
  const enough =
    approve === null
      ? ''
      : `; voting starts again, and ${count(approve, { one: 'approval', other: 'approvals' })} then ${approve === 1 ? 'suffices' : 'suffice'}`;
  return `after ${duration(after)}, ${formatSources(approvers)} can vote ${mode === 'add' ? 'too' : 'instead'}${enough}`;
}

/** "CFO (1 approval from the group board)" */
function formatInPlace({ name, groups, complete }: NonNullable<ClauseStep['stage']>): string {
  const needs = groups.map((group) => {
    const isUsual = group.deny === 1;
    return `${formatGroup(group, groups.length > 1)}${isUsual ? '' : `, ended if ${count(group.deny, voters)} decline`}`;
  });
  return `${name} (${complete === 'all' ? all(needs) : any(needs)})`;
}

function formatGrant({ longest, uses, budget, same }: Clause<'grant'>): string {
  const limits = [
    ...(uses === null ? [] : [count(uses, { one: 'time', other: 'times' })]),
    ...(budget === null ? [] : [`${number(budget.total)} of ${budget.argument}`]),
  ];
  const what = same.length === 0 ? 'the same call' : `calls with the same ${all(same)}`;
  return `Approvers can allow ${what} for up to ${duration(longest)}${limits.length === 0 ? '' : `, at most ${all(limits)}`}.`;
}

const formatQuiet = ({ quiet }: Clause<'reminders'>): string =>
  quiet === null ? '' : `, except ${clockTime(quiet.from)} to ${clockTime(quiet.until)} (${quiet.timeZone})`;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const risks: Record<Risk, string> = { low: 'low risk', medium: 'medium risk', high: 'high risk' };
const roles: Record<BuiltInRole, string> = {
  admin: 'administrators',
  'policy-author': 'policy authors',
  operator: 'operators',
  approver: 'approvers',
  reviewer: 'reviewers',
};
const meanings: Record<Meaning, string> = {
  approved: 'as approval',
  reviewed: 'as reviewed',
  responsible: 'as responsible',
  witnessed: 'as witness',
};
const separated: Record<SeparatedPerson, string> = {
  requester: 'the requester',
  'agent-owner': 'the owner of the agent’s server',
  editor: 'people who edited the request',
  author: 'the policy’s author',
  'earlier-voters': 'people who voted in an earlier stage',
};
