import type { Risk } from '../../../../../src/model/elicitation.ts';
import { formatsIn } from '../../../../../src/model/words/formats.ts';
import type { Outcome, SeparationName, SourceKind } from './policy-parts.ts';

const { all, count, number } = formatsIn('en');

/** Shown instead of a name if a policy was applied from the command line. */
export const operator: string = 'the operator';

export const editor = {
  required: 'required',
  text: 'Policy text, in YAML',
  textNote: 'Ctrl+Space lists what can go here. Press Esc, then Tab, to leave the text.',
  asForm: 'Form',
  asText: 'Text',
  formTitle: 'Form',
  textTitle: 'Text',
  views: 'Form or text',
  formBroken: 'The form can’t read the text as it is. Fix the errors in the text to use the form again.',
  loading: 'Loading the editor',
};

export const check = {
  title: 'What it says',
  checking: 'Checking…',
  faults: (errors: number) => count(errors, { one: 'error', other: 'errors' }),
  place: (line: number, column: number) => `Line ${number(line)}, column ${number(column)}`,
  unsatisfiable: 'No one can currently satisfy this policy',
  unchecked: 'The text couldn’t be checked. It is kept on this page.',
};

export const form = {
  label: 'The policy as a form',
  name: 'Name',
  nameNote: 'Lowercase letters, digits and hyphens.',
  description: 'Purpose',
  which: 'Applies to',
  server: 'MCP servers',
  tool: 'Tools',
  namesNote: 'Separate several with commas; * stands for any characters. Leave empty for any.',
  risk: 'Risk of the call',
  riskNote: 'Select none for any.',
  when: 'Only when',
  whenNote: 'A condition in CEL, such as request.args.amount > 1000. Leave empty for always.',
  priority: 'Priority',
  priorityNote: 'If several policies apply, the highest decides. Leave empty for 0.',
  what: 'Outcome',
  outcomes: {
    require: 'Needs approval',
    allow: 'Runs without approval',
    deny: 'Is denied',
    retire: 'Nothing: retire this policy',
  } satisfies Record<Outcome, string>,
  reason: 'Reason for denying',
  reasonNote: 'Visible to the agent and the requester.',
  retireReason: 'Reason for retiring',
  retireNote: 'Visible to the reviewer and in the history.',
  ceiling: 'Up to which risk',
  ceilingNote: 'Riskier calls still need approval.',
  ceilings: { low: 'Low risk', medium: 'Medium risk' } satisfies Record<Exclude<Risk, 'high'>, string>,
  stage: (position: number) => `Stage ${number(position)}`,
  newStage: (position: number) => `Stage ${number(position)}`,
  stageName: 'Stage name',
  complete: 'Complete when',
  completes: { all: 'every group has approved', any: 'one group has approved' },
  newGroup: (position: number) => `Group ${number(position)}`,
  groupName: 'Group name',
  approve: 'Approvals needed',
  approveNote: 'A number, or a share such as 50%.',
  deny: 'People who must decline to end it',
  denyNote: 'Usually 1.',
  approvers: 'Approvers',
  approversOf: (name: string) => `Approvers: ${name}`,
  kind: 'Kind of approver',
  kinds: {
    manager: 'The requester’s manager',
    group: 'Everyone in a group',
    role: 'Everyone with a role',
    user: 'One person, by email',
    owner: 'The MCP server’s owner',
    anyone: 'Anyone who can vote',
    cel: 'Everyone matching a condition',
  } satisfies Record<SourceKind, string>,
  addSource: 'Add approvers',
  removeSource: (kind: string, value: string) => `Remove: ${kind} ${value}`.trim(),
  escalate: 'Escalate if no one decides',
  escalationOf: (name: string) => `${name}, escalated`,
  after: 'After',
  durationNote: 'Such as 30s, 10m, 2h, 1d.',
  afterStep: 'Counted from the previous step.',
  mode: 'Then these approvers',
  modeNote: 'In relation to the current approvers.',
  modes: { add: 'can approve too', replace: 'replace them' },
  addStep: 'Escalate again later',
  removeStep: 'Remove this step',
  addGroup: 'Add a group',
  removeGroup: (name: string) => `Remove the group ${name}`,
  addStage: 'Add a stage',
  removeStage: (position: number) => `Remove stage ${number(position)}`,
  limits: 'Limits',
  deadline: 'Deadline',
  deadlineNote: 'Such as 24h. Leave empty to let the caller decide.',
  onTimeout: 'At the deadline',
  onTimeoutNote: 'A timeout never approves.',
  timeouts: { expire: 'the request expires', deny: 'the request is declined' },
  separation: 'Who else can’t vote',
  separationNote: 'The requester never can.',
  separations: {
    agentOwner: 'The owner of the server that asks',
    earlierVoters: 'People who voted in an earlier stage',
    author: 'The author of this policy',
    editor: 'People who edited the arguments',
  } satisfies Record<SeparationName, string>,
  beyond: (names: string[]) => `Only in the text: ${all(names)}. The form leaves it unchanged.`,
};

export const difference = {
  none: 'No differences.',
  removed: 'Removed',
  added: 'Added',
  equal: (lines: number) => count(lines, { one: 'unchanged line', other: 'unchanged lines' }),
};

export const marks = {
  published: 'Published',
  retired: 'Retired',
  shadow: 'Shadow mode',
  draft: 'Draft',
  'in-review': 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
};
