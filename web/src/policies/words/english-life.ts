import type { Action } from '#requests/asking/contract/elicitation';
import { formatAside } from '#messages/english-aside';
import { formatsIn } from '#platform/text/formats';

const { all, count, number } = formatsIn('en');

const requests = { one: 'request', other: 'requests' };

export const list = {
  title: 'Policies',
  lead: 'Who must approve which tool calls. If several policies apply, a denial wins, then the highest priority.',
  new: 'New policy',
  name: 'Policy',
  says: 'What it says',
  state: 'Versions',
  changed: 'Last changed by',
  version: (version: number) => `version ${number(version)}`,
  due: (versions: number) => `${count(versions, { one: 'version waits', other: 'versions wait' })} for your review`,
  empty: 'No policies yet',
  emptyNote:
    'Until you write one, the built-in policy decides: approvers decide destructive calls and calls that ask for them, the requester decides the rest.',
};

export const version = {
  missing: 'Policy not found',
  missingNote: 'It doesn’t exist, or its name is spelled differently.',
  noVersion: (requested: string) => `This policy has no version ${requested}`,
  newestInstead: (version: number) => `This is the newest, version ${number(version)}.`,
  number: (version: number) => `Version ${number(version)}`,
  written: 'Written by',
  approved: 'Approved by',
  rejected: 'Rejected by',
  published: 'Published',
  publishedBy: 'Published by',
  says: 'What it says',
  text: 'Text',
  changes: (against: number) => `Changes from version ${number(against)}`,
  history: 'Versions',
};

export const steps = {
  draft: 'Draft',
  draftNote: 'A draft decides nothing. Once you submit it, it can’t be changed, and someone else reviews it.',
  edit: 'Edit draft',
  submit: 'Submit for review',
  submitted: 'Submitted for review.',
  review: 'In review',
  reviewNote: 'Read what it says and what changed. Once approved, it can be published; until then it decides nothing.',
  ownReviewNote: 'Someone else reads it and approves or rejects it. Until it is published, it decides nothing.',
  note: 'Note',
  noteNote: 'Required to reject. Visible to the author.',
  noteMissing: 'Say what must change.',
  alone:
    'You’re the only administrator who can sign in, so no one can review it yet. Add a second one under Settings › People, or ask the operator to publish it: assentry policy apply FILE.',
  approve: 'Approve',
  approveAndPublish: 'Approve and publish',
  reject: 'Reject',
  reviewed: 'Review saved.',
  approved: 'Approved, not published yet',
  approvedNote: 'Once published, it applies to new requests. Open requests keep the version they started with.',
  publish: 'Publish',
  published: 'Published. It applies from now on.',
  older: 'This version doesn’t decide',
  olderNote: 'To go back to it, restore it as a draft; it’s reviewed like every other change.',
  restore: 'Restore as draft',
  restored: 'Restored as a new draft.',
  change: 'Write a new version',
  retire: 'Retire',
  shadow: 'Run in shadow mode',
  shadowed: 'Running in shadow mode: it sees real requests but decides none.',
  unshadow: 'Stop shadow mode',
  unshadowed: 'Shadow mode stopped.',
};

export const shadow = {
  title: 'Shadow mode: what it would have done',
  total: (total: number, different: number) =>
    total === 0
      ? 'No requests since shadow mode started.'
      : `It would have decided ${number(different)} of ${count(total, requests)} differently.`,
  request: 'Request',
  live: 'What happened',
  shadow: 'In shadow mode',
};

export const draft = {
  newTitle: 'New policy',
  examples: 'Start from an example',
  editTitle: (name: string, version: number) => `Edit ${name}, draft ${number(version)}`,
  changeTitle: (name: string) => `New version of ${name}`,
  retireTitle: (name: string) => `Retire ${name}`,
  title: 'Save and submit',
  space: 'Belongs to',
  everywhere: 'No space: all servers',
  note: 'What this changes (optional)',
  noteNote: 'Visible to the reviewer and in the history.',
  consequence:
    'A draft decides nothing. A second administrator reviews it after you submit it; then it can be published.',
  save: 'Save draft',
  submit: 'Save and submit for review',
  saved: 'Draft saved.',
  faulty: 'Fix the errors first.',
  unchecked: 'The text is being checked.',
};

type Stage = { name: string; approvers: number | null };

const endings: Record<Action, string> = { accept: 'Approved', decline: 'Declined', cancel: 'Cancelled' };

export const simulator = {
  title: 'Simulate with real requests',
  lead: 'What this text would decide for the latest requests, together with the published policies. It changes nothing.',
  last: 'Latest requests to try',
  tool: 'Only this tool (optional)',
  from: 'From (optional)',
  until: 'Until (optional)',
  run: 'Simulate',
  notReady: 'Fix the errors to simulate.',
  outdated: 'The text has changed. Simulate again to see the new result.',
  summary: ({ requests: total, different, decided }: { requests: number; different: number; decided: number }) => {
    if (total === 0) return 'There are no requests to try it on yet.';
    const change =
      different === 0 ? 'nothing would change' : `${count(different, requests)} would be decided differently`;
    return `Decides ${number(decided)} of the last ${count(total, requests)}; ${change}.`;
  },
  skipped: (skipped: number) => `${number(skipped)} couldn’t be read and ${skipped === 1 ? 'is' : 'are'} left out.`,
  withheld: (withheld: number) =>
    `${number(withheld)} ${withheld === 1 ? 'is' : 'are'} left out because you may not read ${withheld === 1 ? 'it' : 'them'}.`,
  by: (policy: string, rule: number | null) => (rule === null ? policy : `Rule ${number(rule)} of ${policy}`),
  table: 'What would change',
  showAll: (total: number) => `Show all ${number(total)}`,
  onlyDifferent: 'Show only changes',
  request: 'Request',
  now: 'Now',
  withDraft: 'With this text',
  ended: 'What people did',
  /** Stands before how long ago the latest of them was asked. */
  alike: (total: number) => (total === 1 ? '' : `${count(total, requests)}, the latest`),
  endedSo: (ended: Action | null, total: number) =>
    `${ended === null ? 'Still open' : endings[ended]}${total === 1 ? '' : `: ${number(total)}`}`,
  requires: (stages: Stage[]) =>
    stages
      .map(({ name, approvers }) => `${name} (${approvers === null ? 'anyone' : `${number(approvers)} can`})`)
      .join(', then '),
  outcomes: {
    allow: 'Runs without approval',
    deny: 'Denied',
    requester: 'The requester answers',
    unsatisfiable: 'No one could decide',
  },
};

export const callTrial = {
  title: 'Try one call',
  lead: 'Paste a call: what happens to it now, what would with this text, why, and who would be asked. Nothing is stored, and no one is asked.',
  text: 'The call, as JSON',
  textNote: 'A tools/call of MCP, or its arguments only.',
  server: 'Server',
  tool: 'Tool',
  hint: 'The tool says that it',
  hints: {
    none: 'says nothing',
    reads: 'only reads',
    adds: 'changes without destroying',
    destroys: 'can destroy data',
  },
  requester: 'Requested by (optional)',
  run: 'Try this call',
  notReady: 'Fix the errors to try a call.',
  outdated: 'The text has changed. Try the call again to see the new result.',
  same: 'This call would be decided as it is now.',
  differs: 'This call would be decided differently.',
  asks: (stage: string, people: string[] | null) =>
    people === null ? `${stage} asks everyone who may vote.` : `${stage} asks ${all(people)}.`,
  aside: formatAside,
  faults: {
    json: 'Paste JSON; this is none.',
    object: 'Paste a JSON object: a tools/call, or its arguments.',
    message: 'Paste a tools/call; this is another message.',
    server: 'Enter the name of the server.',
    tool: 'Enter the name of the tool.',
  },
};
