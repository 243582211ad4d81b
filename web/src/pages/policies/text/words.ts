import type { Outcome, SeparationName, SourceKind } from './policy-parts.ts';
import { nameStatus, places, risks } from '../../../ui/words.ts';

/** Every sentence of the policy pages; whoever works on the server writes policies under this name. */
export const operator = 'the operator';

export const editor = {
  required: 'needed',
  text: 'Text of the policy, in YAML',
  textNote: 'Ctrl+Space lists what can stand at a place. Esc, then Tab, leaves the text.',
  asForm: 'Form',
  asText: 'Text',
  formTitle: 'As a form',
  textTitle: 'As text',
  views: 'Which view of the policy',
  formBroken: 'The form cannot read the text as it is. Put the faults right in the text, and it is back.',
  loading: 'Loading the editor',
};

export const check = {
  title: 'What it says',
  checking: 'Checking…',
  faults: (count: number) => `${count} ${count === 1 ? 'fault' : 'faults'} to put right`,
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  unsatisfiable: 'Nobody could decide this with the people of now',
  unchecked: 'The check could not be made. The text is kept on this page.',
};

export const form = {
  label: 'The policy as a form',
  name: 'Name',
  nameNote: 'Small letters, digits and hyphens.',
  description: 'What it is for',
  which: 'Which calls it is about',
  server: 'MCP servers',
  tool: 'Tools',
  namesNote: 'Several with commas; * stands for any characters. Empty means any.',
  risk: 'Risk of the call',
  riskNote: 'None chosen means any.',
  when: 'Only when',
  whenNote: 'A condition in CEL, such as request.args.amount > 1000. Empty means always.',
  priority: 'Priority',
  priorityNote: 'Of several policies that apply the highest decides. Empty means 0.',
  what: 'What happens then',
  outcomes: {
    require: 'People must approve it',
    allow: 'It runs without asking',
    deny: 'It is refused',
    retire: 'Nothing: the policy is retired',
  } satisfies Record<Outcome, string>,
  reason: 'Why it is refused',
  reasonNote: 'The agent and the requester read this.',
  retireReason: 'Why it is retired',
  retireNote: 'Its reviewer and the history read this.',
  ceiling: 'Up to which risk',
  ceilingNote: 'Whatever is riskier is still asked.',
  ceilings: [
    { value: 'low', label: risks.low },
    { value: 'medium', label: risks.medium },
  ],
  stage: (number: number) => `Stage ${number}`,
  newStage: (number: number) => `Stage ${number}`,
  stageName: 'Name of the stage',
  complete: 'Complete when',
  completes: [
    { value: 'all', label: 'every group has approved' },
    { value: 'any', label: 'one group has approved' },
  ],
  newGroup: (number: number) => `Group ${number}`,
  groupName: 'Name of the group',
  approve: 'Approvals needed',
  approveNote: 'A number, or a share such as 50%.',
  deny: 'Refusals that end it',
  denyNote: 'Usually one.',
  approvers: 'Who may approve',
  approversOf: (name: string) => `Who may approve: ${name}`,
  kind: 'Kind of approver',
  kinds: {
    manager: 'Manager of the requester',
    group: 'Everyone in the group',
    role: 'Everyone of the role',
    user: 'One person, by email',
    owner: 'Owner of the MCP server',
    anyone: 'Anyone who may vote',
    cel: 'Everyone for whom holds',
  } satisfies Record<SourceKind, string>,
  addSource: 'Add approvers',
  removeSource: (kind: string, value: string) => `Remove: ${kind} ${value}`.trim(),
  escalate: 'Escalate when nobody decides',
  escalationOf: (name: string) => `${name}, escalated`,
  after: 'After',
  durationNote: 'Such as 30s, 10m, 2h, 1d.',
  afterStep: 'Counted from the step before.',
  mode: 'Then these',
  modeNote: 'Beside those who may already.',
  modes: [
    { value: 'add', label: 'may approve, too' },
    { value: 'replace', label: 'take their place' },
  ],
  addStep: 'Escalate again later',
  removeStep: 'Remove this step',
  addGroup: 'Add a group beside it',
  removeGroup: (name: string) => `Remove the group ${name}`,
  addStage: 'Add a stage after these',
  removeStage: (number: number) => `Remove stage ${number}`,
  limits: 'Limits',
  deadline: 'Deadline',
  deadlineNote: 'Such as 24h. Empty: as the caller says.',
  onTimeout: 'When it passes',
  onTimeoutNote: 'No timeout ever approves.',
  timeouts: [
    { value: 'expire', label: 'the request expires' },
    { value: 'deny', label: 'the request is declined' },
  ],
  separation: 'Who else may not vote',
  separationNote: 'The requester never may.',
  separations: {
    agentOwner: 'The owner of the server that asks',
    earlierVoters: 'Whoever voted in an earlier stage',
    author: 'The author of this policy',
    editor: 'Whoever changed the arguments',
  } satisfies Record<SeparationName, string>,
  beyond: (names: string[]) => `Only in the text: ${names.join(', ')}. The form leaves it as it is.`,
};

export const difference = {
  none: 'The two are the same.',
  removed: 'Removed',
  added: 'Added',
  equal: (count: number) => `${count} equal lines`,
};

export const marks = {
  published: 'Published',
  retired: 'Retired',
  shadow: 'In shadow',
  draft: 'Draft',
  'in-review': 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const list = {
  title: places.policies,
  lead: 'Who must answer which tool calls. Of several that apply, a refusal counts first, then the highest priority.',
  new: 'New policy',
  name: 'Policy',
  says: 'What it says',
  state: 'Versions',
  changed: 'Last written by',
  version: (version: number) => `version ${version}`,
  empty: 'No policy yet',
  emptyNote:
    'Until there is one, the built-in policy decides: approvers answer what is destructive or asks for them, the requester the rest. Write a policy to say who must approve what.',
};

export const version = {
  missing: 'There is no such policy',
  missingNote: 'It does not exist, or its name was written differently.',
  number: (version: number) => `Version ${version}`,
  written: 'Written by',
  approved: 'Approved by',
  rejected: 'Rejected by',
  published: 'Published',
  says: 'What it says',
  text: 'The text',
  changes: (against: number) => `What differs from version ${against}`,
  history: 'Versions',
};

export const steps = {
  draft: 'A draft',
  draftNote: 'It decides nothing. Once it is submitted its words never change again, and a second person reviews it.',
  edit: 'Edit the draft',
  submit: 'Submit for review',
  submitted: 'It is in review now.',
  review: 'In review',
  reviewNote: 'Read what it says and what differs. Approved, it can be published; it decides nothing before that.',
  note: 'Note',
  noteNote: 'Needed to reject. The author reads it.',
  noteMissing: 'Say what must be different.',
  approve: 'Approve',
  reject: 'Reject',
  reviewed: 'Your review is kept.',
  approved: 'Approved, not published yet',
  approvedNote:
    'Published, it counts from the next request on. Requests that are open keep the version they began with.',
  publish: 'Publish',
  published: 'It counts from now on.',
  older: 'This version does not decide',
  olderNote: 'To go back to it, take it as a new draft: it is reviewed like every other change.',
  restore: 'Take it as a new draft',
  restored: 'A new draft is made of it.',
  change: 'Write a new version',
  retire: 'Retire',
  shadow: 'Watch in shadow',
  shadowed: 'It watches real requests now, and decides none.',
  unshadow: 'Stop watching',
  unshadowed: 'It watches no longer.',
};

export const shadow = {
  title: 'In shadow: what it would have done',
  total: (total: number, different: number) =>
    total === 0
      ? 'No request came since it watches.'
      : `It would have done otherwise in ${different} of ${total} ${total === 1 ? 'request' : 'requests'}.`,
  request: 'Request',
  live: 'What happened',
  shadow: 'In shadow',
};

export const draft = {
  newTitle: 'New policy',
  editTitle: (name: string, version: number) => `Edit ${name}, draft ${version}`,
  changeTitle: (name: string) => `New version of ${name}`,
  retireTitle: (name: string) => `Retire ${name}`,
  title: 'Save and submit',
  note: 'What this changes (optional)',
  noteNote: 'For whoever reviews it, and for the history.',
  consequence: 'A draft decides nothing. A second administrator reviews what you submit, then it can be published.',
  save: 'Save draft',
  submit: 'Save and submit for review',
  saved: 'It is kept.',
  faulty: 'Put the faults right first.',
  unchecked: 'The text is being checked.',
};

type Stage = { name: string; approvers: number | null };
const endings = {
  accept: nameStatus('accepted', null),
  decline: nameStatus('declined', null),
  cancel: nameStatus('cancelled', null),
};

export const simulator = {
  title: 'Try it on real requests',
  lead: 'What this text would do among the published policies, told by the latest requests. Nothing is decided by it.',
  last: 'How many of the latest',
  choices: ['20', '100', '500', '1000'],
  run: 'Simulate',
  notReady: 'The text must be without fault first.',
  outdated: 'The text has changed since. Simulate again to see what it does now.',
  summary: ({ requests, different, decided }: { requests: number; different: number; decided: number }) =>
    requests === 0
      ? 'There is no request yet to try it on.'
      : `Of ${requests} ${requests === 1 ? 'request' : 'requests'} it would decide ${decided}, and ${different} would go differently.`,
  skipped: (count: number) => `${count} could not be read and ${count === 1 ? 'is' : 'are'} left out.`,
  table: 'What would change',
  showAll: (count: number) => `Show all ${count}`,
  onlyDifferent: 'Show only what changes',
  request: 'Request',
  now: 'As it is now',
  withDraft: 'With this text',
  ended: 'What people did',
  open: 'Still open',
  endings,
  requires: (stages: Stage[]) =>
    stages
      .map(({ name, approvers }) => `${name} (${approvers === null ? 'anyone' : `${approvers} may`})`)
      .join(', then '),
  outcomes: {
    allow: 'Runs without asking',
    deny: 'Refused',
    requester: 'The requester answers',
    unsatisfiable: 'Nobody could decide it',
  },
};
