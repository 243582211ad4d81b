import { formatsIn } from '#protocol/model/text/formats';
import type { BuiltInRole } from '#protocol/model/permission';

const { count, number } = formatsIn('en');

/** The words of the pages about people. */
export const words = {
  save: 'Save',
  saved: 'Saved.',
  none: 'None',
  notYourself: (name: string) => `${name} (another administrator can choose you)`,
};

/** The page has its own words: this is what others say of a space. */
export const spaces = { title: 'Spaces', space: 'Space' };
export const roles = { title: 'Roles' };

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
    'policy-author': 'Policy authors write and review policies. They decide and publish nothing.',
    operator: 'Operators manage keys and webhooks, and can stop calls. They decide nothing.',
    approver: 'Approvers decide the requests that policies assign to them.',
    reviewer: 'Reviewers can read requests after giving a reason, but can’t decide them.',
  } satisfies Record<BuiltInRole, string>,
  manager: 'Manager',
  managerNote: 'Policies can ask the requester’s manager.',
  subjects: 'Names at MCP clients',
  subjectsNote:
    'One per line, in addition to the email: SUBJECT, or ISSUER#SUBJECT. They can’t approve requests made under these names.',
  chat: 'Member ID in chat',
  chatNote: 'Such as U0123ABCD in Slack, or their object ID for Microsoft Teams. Votes from there count as theirs.',
  breakGlass: 'Can use the emergency override',
  breakGlassNote: 'Can approve past a policy if it can’t wait. Needs a reason and is reviewed afterwards.',
  disabled: 'Disabled',
  disabledNote: 'Can’t sign in or vote, and the keys they made stop working. Their past decisions stay.',
  madeKeys: (keys: number): string =>
    keys === 1
      ? 'They made this key. It doesn’t work while they’re disabled; first create another if its server still needs one.'
      : 'They made these keys. They don’t work while they’re disabled; first create others if their servers still need them.',
  groups: 'Groups',
  noGroups: 'Not in any group.',
  since: 'Since',
};

export const newUser = {
  title: 'Add a person',
  lead: 'They set their own password with a link that comes by email. No one else ever knows it.',
  terminalLead:
    'They set their own password with a link that the operator’s terminal prints. No one else ever knows it.',
  email: 'Email',
  emailNote: 'They sign in with it. It can’t be changed later.',
  manager: 'Manager (optional)',
  groups: 'Groups (optional)',
  submit: 'Add and send link',
  terminalSubmit: 'Add',
  added: 'Person added.',
  open: (name: string) => `Open ${name}`,
  again: 'Add another person',
};

/** Words for how a person signs in. */
export const access = {
  passkeys: 'Passkeys',
  noPasskeys: 'No passkeys.',
  title: 'Sign-in',
  hasPassword: 'Has a password.',
  hasNone: 'Hasn’t set a password yet and can’t sign in.',
  send: 'Send a password link',
  replaceNote:
    'For a person who lost their password. They are signed out everywhere and earlier links stop working; the old password works until they set a new one.',
  againNote: 'Earlier links stop working.',
  reset: 'Send a link that resets second factors',
  resetNote:
    'For a person who also lost their passkeys or their authenticator app: using the link removes them, and they add new ones.',
  disabled: 'This person is disabled. Enable them first.',
  sent: 'The link is on its way.',
  onItsWay: (email: string) => `A link is on its way to ${email}`,
  once: 'The first person to use it sets the password. Single use,',
  shared: 'Until they use a link from the operator’s terminal, you and they count as one person:',
  terminal:
    'Run this where Assentry runs, or ask its operator to. It prints the link for this person, signs them out everywhere, and ends earlier links. Send the link to no one else.',
  terminalReset: 'For a person who also lost their passkeys or their authenticator app:',
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

/** Words for members whom someone confirms again and again. */
export const confirmation = {
  title: 'Confirmation',
  lead: 'If members are confirmed every few months, those whom no one confirms in time leave the group.',
  none: 'No one needs to confirm the members.',
  rule: (days: number, by: string) => `Every ${number(days)} days, by ${by}.`,
  administrators: 'administrators',
  last: 'Last confirmed',
  next: 'Next',
  due: (members: number) =>
    members === 1
      ? '1 member leaves unless someone confirms them'
      : `${number(members)} members leave unless someone confirms them`,
  provided: 'Members from an identity provider are confirmed there, and stay.',
  confirm: (members: number) => (members === 1 ? 'Confirm this member' : `Confirm these ${number(members)} members`),
  confirmed: 'Confirmed.',
  who: 'Only owners of the group and administrators can confirm its members.',
  own: 'You can’t confirm your own membership. Another owner or administrator can.',
  days: 'Confirm members every … days',
  daysNote: 'From 1 to 730. Leave it empty if no one needs to.',
  owners: 'Owners',
  ownersNote: 'They are asked two weeks before members leave. Without owners, administrators are asked.',
  addOwner: 'Add an owner',
  save: 'Save the rule',
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
  isExpired: 'Expired',
  isOff: (maker: string) => `Off while ${maker} is disabled`,
  maker: 'Created by',
  operator: 'Operator',
  expires: 'Expires',
  expiresNever: 'Never',
  expiresIn: (days: number) => `In ${days} days`,
  soon: 'Within 14 days',
  expiresNote: 'After that, the key no longer works.',
  limits: 'Tools and networks',
  allTools: 'All tools',
  from: (networks: string) => `Only from ${networks}`,
  unused: 'Not used for 90 days.',
  forTools: 'Only for these tools (optional)',
  forToolsNote: 'Names separated by commas; * stands for any characters. Leave empty for all.',
  forNetworks: 'Only from these networks (optional)',
  forNetworksNote: 'Such as 10.0.0.0/8 or 2001:db8::/32, separated by commas. Leave empty for anywhere.',
  rotate: 'Rotate',
  rotateNote: 'Creates a key with the same limits. This one works for 24 more hours at most.',
  confirmRotation: 'Rotate key',
  rotated: 'Key rotated.',
  rotatedNote:
    'As ASSENTRY_API_KEY. It’s shown only once. The old key works until its end, so that you can replace it without an outage.',
  isReplaced: (next: string) => `Replaced by ${next}`,
  changeNetworks: 'Networks',
  networksOf: (kid: string) => `Networks from which ${kid} works`,
  saveNetworks: 'Save networks',
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

export const lookBacks = {
  title: 'Spot checks',
  lead: 'What policies allowed without asking, chosen at random so that someone looks at it afterwards.',
  empty: 'Nothing to look back at',
  emptyNote: 'A policy that allows calls can say sample: 5%. That share appears here for a later look.',
  approversNote: 'Only administrators and reviewers look back.',
  request: 'Request',
  policy: 'Allowed by',
  at: 'When',
  review: 'Look',
  due: 'Not looked at',
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
