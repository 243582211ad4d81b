import { places } from '../../ui/words.ts';

/** Every sentence of the pages about people. */
export const words = {
  nav: 'People and what belongs to them',
  save: 'Save',
  saved: 'Saved.',
  none: 'Nobody',
  notYourself: (name: string) => `${name}: another administrator can choose you`,
};

export const users = {
  title: places.users,
  lead: 'Whoever can sign in. Policies find approvers by role, group, manager and email.',
  table: 'People',
  filter: 'Find a person',
  filterNote: 'By name, email, role or group',
  noMatch: 'Nobody fits what you typed.',
  add: 'Add a person',
  name: 'Name',
  role: 'Role',
  manager: 'Manager',
  groups: 'Groups',
  disabled: 'Disabled',
  invited: 'No password yet',
  mayBreakGlass: 'May use the emergency override',
};

export const user = {
  missing: 'There is nobody here',
  missingNote: 'This person does not exist.',
  title: 'Person',
  name: 'Name',
  nameNote: 'As others see it beside decisions.',
  role: 'Role',
  roleNotes: {
    admin: 'Administrators decide, write policies and keep people.',
    approver: 'Approvers decide what policies ask them.',
    reviewer: 'Reviewers look at everything and never decide.',
  },
  manager: 'Manager',
  managerNote: 'Policies can ask the manager of whoever requests.',
  subjects: 'Known to MCP clients as',
  subjectsNote:
    'One on each line, next to the email: SUBJECT, or ISSUER#SUBJECT. Anyone who asks by one of these never approves their own request.',
  slack: 'Member of Slack',
  slackNote: 'Their member ID such as U0123ABCD: what this member clicks in Slack is this person’s say.',
  breakGlass: 'May use the emergency override',
  breakGlassNote: 'May decide past a policy where it cannot wait, with a reason, and a review afterwards.',
  disabled: 'Disabled',
  disabledNote: 'Cannot sign in or vote. Everything they did stays.',
  groups: 'Groups',
  noGroups: 'In no group.',
  since: 'Since',
};

export const newUser = {
  title: 'Add a person',
  lead: 'They set a password of their own with a link that you hand over. Nobody else ever knows it.',
  email: 'Email',
  emailNote: 'What they sign in with. It stays.',
  manager: 'Manager (optional)',
  groups: 'Groups (optional)',
  submit: 'Add and make the link',
  added: 'Added. Hand over the link.',
  open: (name: string) => `Open ${name}`,
  again: 'Add another person',
};

/** What is shown a single time. */
export const once = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not let it be copied. Select it and copy it yourself.',
};

/** How somebody gets in. */
export const access = {
  title: 'Signing in',
  hasPassword: 'Has a password of their own.',
  hasNone: 'Has not set a password yet, and cannot sign in.',
  make: 'Make a link to set a password',
  replaceNote:
    'For somebody who lost it. They are signed out everywhere and earlier links are void; the old password ends when they set a new one.',
  againNote: 'Earlier links stop working.',
  disabled: 'This person is disabled. Let them in again first.',
  made: 'The link is made. Hand it over.',
  give: (name: string) => `Hand this link to ${name}`,
  giveNote:
    'Give it to them alone: whoever uses it first sets the password. It is shown here once; when it is lost, make another.',
  link: 'Link to set a password',
  once: 'Works once;',
};

export const groups = {
  title: 'Groups',
  lead: 'Policies name groups: a change here counts for every stage that starts from now on.',
  name: 'Group',
  members: 'Members',
  description: 'What it is for',
  empty: 'No group yet',
  emptyNote: 'Make a group such as “finance”, add people to it, and policies can ask it.',
  newTitle: 'New group',
  nameLabel: 'Name',
  nameNote: 'Policies name it like this.',
  descriptionLabel: 'What it is for (optional)',
  create: 'Create group',
  missing: 'There is no such group',
  missingNote: 'It may have been deleted.',
  membersTitle: (count: number) => `Members (${count})`,
  noMembers: 'Nobody is in it yet. A policy that asks this group cannot be carried out.',
  addMember: 'Add a person',
  add: 'Add',
  remove: 'Remove',
  settings: 'Name and purpose',
  renameNote: 'Policies that name it must be changed as well.',
  deleteTitle: 'Delete this group',
  deleteNote: 'Policies that name it then find nobody in it, and refuse what needs it.',
  delete: 'Delete group',
  confirm: (name: string) => `Delete ${name} for good`,
  keep: 'Keep it',
};

export const servers = {
  title: 'Servers',
  lead: 'MCP servers that may ask. The owner answers where a policy says “owner of the server”.',
  table: 'Servers',
  name: 'Server',
  owner: 'Owner',
  ownerOf: (name: string) => `Owner of ${name}`,
  empty: 'No server yet',
  emptyNote: 'A server appears here with its first key. Make one below.',
};

export const keys = {
  title: 'Keys',
  note: 'With a key an MCP server asks, and only that: no key decides. A server may have several, so that one can replace another.',
  key: 'Key',
  server: 'Server',
  made: 'Made',
  used: 'Last used',
  never: 'Never',
  state: 'State',
  isRevoked: 'Revoked',
  revoke: 'Revoke',
  revokeNote: 'It ends at once and for good. What it asked stays.',
  confirm: 'Revoke it',
  keep: 'Keep it',
  revoked: 'The key is revoked.',
  forServer: 'New key for server',
  forServerNote: 'The name approvers see. A new name makes a new server.',
  create: 'Make a key',
  madeOne: 'The key is made.',
  give: (server: string) => `Give this key to ${server}`,
  giveNote: 'As ASSENTRY_API_KEY. It is shown here once; when it is lost, make another and revoke this one.',
  shown: 'New key',
};

export const away = {
  title: 'Absences',
  lead: 'While you are away somebody can vote for you. Their vote counts as yours, shows both names, and never counts twice.',
  form: 'I am away',
  to: 'Who votes for me',
  toNote: 'Nobody who is given this can pass it on.',
  from: 'From',
  fromNote: 'Empty means now.',
  until: 'Until',
  policies: 'Only for these policies (optional)',
  policiesNote: 'Names with commas. Empty means all.',
  note: 'Note (optional)',
  submit: 'Hand over my votes',
  handedOver: 'Your votes are handed over.',
  toMissing: 'Choose who votes for you.',
  untilMissing: 'Say until when.',
  list: 'Handed over',
  table: 'Who votes for whom',
  empty: 'Nobody votes for anybody else.',
  who: 'Who',
  votesFor: (to: string, from: string) => `${to} votes for ${from}`,
  when: 'When',
  which: 'Policies',
  all: 'All',
  state: 'State',
  states: { now: 'In force', ahead: 'Begins later', over: 'Over', revoked: 'Ended early' },
  revoke: 'End now',
  revokeOf: (to: string, from: string) => `End it: ${to} votes for ${from}`,
  revoked: 'It has ended.',
  begins: 'Begins',
  began: 'Began',
  ends: 'ends',
  ended: 'ended',
};

export const breakGlass = {
  title: 'Emergency overrides',
  lead: 'Requests that somebody decided past their policy. Each needs the review of somebody else.',
  empty: 'There has been no emergency override',
  emptyNote:
    'Whoever may use the emergency override can decide a request past its policy. It appears here, and waits for a review.',
  request: 'Request',
  by: 'Decided by',
  at: 'When',
  review: 'Review',
  due: 'Due,',
  reviewed: 'Done',
};

export const grants = {
  title: 'Standing approvals',
  lead: 'Calls that may run for a while without asking again, because an approver allowed it. Ended ones are asked anew.',
  empty: 'Nothing runs without asking',
  emptyNote:
    'Where a policy permits it, whoever approves a request last can allow the same for some hours. It appears here.',
  what: 'What may run',
  requester: 'For',
  erased: 'erased',
  by: 'Allowed by',
  left: 'What is left',
  uses: (count: number) => `${count} ${count === 1 ? 'use' : 'uses'}`,
  budget: (amount: number, argument: string) => `${amount.toLocaleString('en')} of ${argument}`,
  due: 'Review due,',
  steps: 'Steps',
  states: {
    revoked: 'Ended early',
    suspended: 'Suspended: the tool has changed',
    expired: 'Over',
    lapsed: 'Lapsed: nobody reviewed it',
    'used-up': 'Used up',
  },
  revoke: 'End now',
  revoked: 'It has ended. The next call is asked anew.',
  review: 'Still right',
  reviewed: 'It goes on.',
};
