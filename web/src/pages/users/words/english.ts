import { formatsIn } from '../../../../../src/model/words/formats.ts';
import type { Role } from '../../../../../src/model/user.ts';

const { count, number } = formatsIn('en');

/** The words of the pages about people. */
export const words = {
  nav: 'People and settings',
  save: 'Save',
  saved: 'Saved.',
  none: 'None',
  notYourself: (name: string) => `${name} (another administrator can choose you)`,
};

export const users = {
  title: 'People',
  lead: 'Everyone who can sign in. Policies find approvers by role, group, manager and email.',
  table: 'People',
  filter: 'Find a person',
  filterNote: 'By name, email, role or group',
  noMatch: 'No one matches.',
  add: 'Add a person',
  name: 'Name',
  role: 'Role',
  manager: 'Manager',
  groups: 'Groups',
  disabled: 'Disabled',
  invited: 'No password yet',
  mayBreakGlass: 'Emergency override',
};

export const user = {
  missing: 'No person found',
  missingNote: 'No person with this ID exists.',
  title: 'Person',
  name: 'Name',
  nameNote: 'Shown next to their decisions.',
  role: 'Role',
  roleNotes: {
    admin: 'Administrators decide requests, write policies and manage people.',
    approver: 'Approvers decide the requests that policies assign to them.',
    reviewer: 'Reviewers can read requests after giving a reason, but can’t decide them.',
  } satisfies Record<Role, string>,
  manager: 'Manager',
  managerNote: 'Policies can ask the requester’s manager.',
  subjects: 'Names at MCP clients',
  subjectsNote:
    'One per line, in addition to the email: SUBJECT, or ISSUER#SUBJECT. They can’t approve requests made under these names.',
  slack: 'Slack member ID',
  slackNote: 'Such as U0123ABCD. Votes from this Slack account count as theirs.',
  breakGlass: 'Can use the emergency override',
  breakGlassNote: 'Can approve past a policy if it can’t wait. Needs a reason and is reviewed afterwards.',
  disabled: 'Disabled',
  disabledNote: 'Can’t sign in or vote. Their past decisions stay.',
  groups: 'Groups',
  noGroups: 'Not in any group.',
  since: 'Since',
};

export const newUser = {
  title: 'Add a person',
  lead: 'They set their own password with a link that you give them. No one else ever knows it.',
  terminalLead:
    'They set their own password with a link that the operator’s terminal prints. No one else ever knows it.',
  email: 'Email',
  emailNote: 'They sign in with it. It can’t be changed later.',
  manager: 'Manager (optional)',
  groups: 'Groups (optional)',
  submit: 'Add and create link',
  terminalSubmit: 'Add',
  added: 'Person added.',
  open: (name: string) => `Open ${name}`,
  again: 'Add another person',
};

/** Words for values that are shown only once. */
export const once = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser blocked copying. Select the text and copy it yourself.',
};

/** Words for how a person signs in. */
export const access = {
  title: 'Sign-in',
  hasPassword: 'Has a password.',
  hasNone: 'Hasn’t set a password yet and can’t sign in.',
  make: 'Create a password link',
  replaceNote:
    'For a person who lost their password. They are signed out everywhere and earlier links stop working; the old password works until they set a new one.',
  againNote: 'Earlier links stop working.',
  disabled: 'This person is disabled. Enable them first.',
  made: 'Link created. Give it to them.',
  give: (name: string) => `Give this link to ${name}`,
  giveNote:
    'Give it to no one else: the first person to use it sets the password. It’s shown only once; if it’s lost, create another.',
  link: 'Password link',
  once: 'Single use,',
  shared:
    'You have seen this link, so their votes count as yours too: the two of you share one seat, and they can’t decide what you ask. That ends once they set a password with a link from the operator’s terminal:',
  terminal:
    'Password links go to people, not through administrators. Ask the operator to run this command; it prints the link for this person, signs them out everywhere, and ends earlier links.',
};

export const groups = {
  title: 'Groups',
  lead: 'Policies name groups. A change here applies to every stage that starts from now on.',
  name: 'Group',
  members: 'Members',
  description: 'Purpose',
  empty: 'No groups yet',
  emptyNote: 'Create a group such as “finance” and add people. Policies can then require its approval.',
  newTitle: 'New group',
  nameLabel: 'Name',
  nameNote: 'The name that policies use.',
  descriptionLabel: 'Purpose (optional)',
  create: 'Create group',
  missing: 'Group not found',
  missingNote: 'It may have been deleted.',
  membersTitle: (members: number) => `Members (${number(members)})`,
  noMembers: 'No members yet. Policies that require this group can’t be satisfied.',
  addMember: 'Add a person',
  add: 'Add',
  remove: 'Remove',
  settings: 'Name and purpose',
  renameNote: 'If you rename it, change the policies that name it too.',
  deleteTitle: 'Delete this group',
  deleteNote: 'Policies that name it then find no one in it and can’t be satisfied.',
  delete: 'Delete group',
  confirm: (name: string) => `Delete ${name} permanently`,
  keep: 'Keep it',
};

export const servers = {
  title: 'Servers',
  lead: 'MCP servers that can create requests. Policies can ask a server’s owner.',
  table: 'Servers',
  name: 'Server',
  owner: 'Owner',
  ownerOf: (name: string) => `Owner of ${name}`,
  empty: 'No servers yet',
  emptyNote: 'A server appears here with its first key. Create one below.',
};

export const keys = {
  title: 'Keys',
  note: 'Keys let a server create requests. They can never approve one. A server can have several, so that you can replace one without an outage.',
  key: 'Key',
  server: 'Server',
  made: 'Created',
  used: 'Last used',
  never: 'Never',
  state: 'Status',
  isRevoked: 'Revoked',
  revoke: 'Revoke',
  revokeNote: 'It stops working immediately and permanently. Its requests stay.',
  confirm: 'Revoke key',
  keep: 'Keep it',
  revoked: 'Key revoked.',
  forServer: 'New key for server',
  forServerNote: 'The name that approvers see. A new name creates a new server.',
  create: 'Create key',
  madeOne: 'Key created.',
  give: (server: string) => `Give this key to ${server}`,
  giveNote: 'As ASSENTRY_API_KEY. It’s shown only once; if it’s lost, create another and revoke this one.',
  shown: 'New key',
};

export const away = {
  title: 'Delegations',
  lead: 'While you’re away, someone can vote for you. Their vote counts as yours, shows both names and never counts twice.',
  form: 'I’m away',
  to: 'Who votes for you',
  toNote: 'Delegates can’t delegate further.',
  from: 'From',
  fromNote: 'Leave empty to start now.',
  until: 'Until',
  policies: 'Only for these policies (optional)',
  policiesNote: 'Names separated by commas. Leave empty for all.',
  note: 'Note (optional)',
  submit: 'Delegate my votes',
  handedOver: 'Your votes are delegated.',
  toMissing: 'Choose who votes for you.',
  untilMissing: 'Choose an end.',
  list: 'Delegations',
  table: 'Who votes for whom',
  empty: 'No delegations.',
  who: 'Who',
  votesFor: (to: string, from: string) => `${to} votes for ${from}`,
  when: 'When',
  which: 'Policies',
  all: 'All',
  state: 'Status',
  states: { now: 'Active', ahead: 'Not started', over: 'Ended', revoked: 'Ended early' },
  revoke: 'End now',
  revokeOf: (to: string, from: string) => `End the delegation from ${from} to ${to}`,
  revoked: 'Delegation ended.',
  begins: 'Starts',
  began: 'Started',
  ends: 'ends',
  ended: 'ended',
};

export const breakGlass = {
  title: 'Emergency overrides',
  lead: 'Requests that someone approved past their policy. Someone else must review each of them.',
  empty: 'No emergency overrides',
  emptyNote: 'People with the permission can approve a request past its policy. It then appears here for review.',
  request: 'Request',
  by: 'Approved by',
  at: 'When',
  review: 'Review',
  due: 'Due',
  reviewed: 'Done',
};

export const grants = {
  title: 'Standing approvals',
  lead: 'Calls that can run for a while without asking again, because approvers allowed it.',
  empty: 'No standing approvals',
  emptyNote: 'If the policy permits it, approvers can allow the same call for some hours. It then appears here.',
  what: 'What can run',
  requester: 'Requested by',
  erased: 'erased',
  by: 'Allowed by',
  left: 'Remaining',
  uses: (uses: number) => count(uses, { one: 'use', other: 'uses' }),
  budget: (amount: number, argument: string) => `${number(amount)} of ${argument}`,
  due: 'Review due',
  steps: 'Actions',
  states: {
    revoked: 'Ended early',
    suspended: 'Suspended: the tool has changed',
    expired: 'Expired',
    lapsed: 'Lapsed: not reviewed in time',
    'used-up': 'Used up',
  },
  revoke: 'End now',
  revoked: 'Standing approval ended. The next call asks again.',
  review: 'Confirm',
  reviewed: 'Standing approval confirmed.',
};

export const stops = {
  title: 'Kill switch',
  lead: 'Stop a tool, a server or everything at once. Open requests end, and approved calls can’t start.',
  empty: 'Nothing is stopped',
  emptyNote: 'Use the form below, or “assentry stop”. A second person must lift the stop.',
  form: 'Stop now',
  server: 'Server',
  everyServer: 'Every server',
  tool: 'Tool (optional)',
  toolNote: 'For example wire_transfer. Leave empty for every tool.',
  reason: 'Reason',
  reasonNote: 'Shown to everyone who asks.',
  stop: (tool: string, server: string) =>
    tool === '' ? (server === '' ? 'Stop everything' : `Stop all of ${server}`) : `Stop ${tool}`,
  consequence: 'Calls that have started continue. Someone else must lift the stop.',
  saved: 'Stopped.',
  stopped: (ended: number) => `Stopped. ${count(ended, { one: 'open request', other: 'open requests' })} ended.`,
  list: 'Stopped',
  what: 'What',
  everything: 'Everything',
  allOf: (server: string) => `All of ${server}`,
  of: (server: string) => `of ${server}`,
  by: 'Stopped by',
  operator: 'The operator',
  steps: 'State',
  lift: 'Lift',
  liftedBy: (name: string) => `Lifted by ${name}`,
  lifted: 'Lifted.',
};
