import { formatsIn } from '#platform/text/formats';
import type { GrantTerms } from './url-facts.ts';

const { all, count, duration, number } = formatsIn('en');

/** The words of everything people can do with one request apart from voting. */
export const revisions = {
  title: 'Changes by approvers',
  note: 'The newest version runs. Votes from before a change don’t count.',
  before: 'Before',
  after: 'Now',
};

export const editing = {
  open: 'Edit arguments',
  title: 'Edit what will run',
  note: 'All votes so far become void, including yours, and the policies are applied to the edited call. Everyone who votes sees what you changed.',
  save: 'Save and start over',
  close: 'Discard',
  done: 'The call is edited. It needs every approval again.',
  faulty: 'Fix the marked fields first.',
  unchanged: 'You haven’t changed anything yet.',
};

export const discussion = {
  title: 'Discussion',
  none: 'No comments yet.',
  requester: 'The requester',
  kinds: { comment: 'commented', question: 'asked the requester', reply: 'replied' },
  told: 'According to the agent: there is no evidence that the requester was asked.',
  refused: 'They declined to answer.',
  waiting: 'The requester hasn’t replied yet.',
  label: 'Comment, or ask the requester',
  note: 'Comments are for the people who decide. Questions go to the requester, and the reply appears here. Neither decides anything.',
  comment: 'Comment',
  commented: 'Comment added.',
  ask: 'Ask the requester',
  asked: 'Question sent to the requester.',
  empty: 'Write something first.',
};

export const revoking = {
  revoke: 'Revoke approval',
  note: 'The call hasn’t started. Once revoked, the approval releases nothing, and the next call asks again.',
  done: 'Approval revoked. The tool won’t run.',
  lapses: {
    revoked: 'The approval was revoked before it was used. The tool didn’t run.',
    lapsed: 'The approval was no longer valid when it was used. The tool didn’t run.',
  },
};

export const more = {
  noReviewer: 'No one is reviewing this yet.',
  mine: 'Others can see that you’re reviewing this.',
  reviewing: (name: string) => `${name} is reviewing this. You can still decide.`,
  take: 'I’m on it',
  held: 'Others can now see that you’re reviewing this.',
  release: 'Release',
  letGo: 'You’re no longer marked as reviewing this.',
  voted: 'You’ve voted on this request.',
  withdraw: 'Withdraw my vote',
  withdrawn: 'Your vote is withdrawn.',
  takeBack: (seconds: number) => `Take it back (${number(seconds)} s)`,
  addApprover: 'Add an approver',
  addApproverNote: 'They must approve too, after this stage. Everyone else who is required stays required.',
  chooseFirst: 'Choose a person first.',
  add: 'Add',
  approverAdded: 'Approver added.',
  postpone: 'Start no earlier than',
  postponeNote: (zone: string) => `Before the deadline. In your time zone: ${zone}`,
  timeFirst: 'Choose a time first.',
  setStart: 'Set start time',
  postponed: 'Start time set.',
  close: 'Close',
};

export const allowing = {
  label: 'If you approve',
  once: 'Only this once',
  lasting: (milliseconds: number) => `And the same call without asking, for ${duration(milliseconds)}`,
  bounds: ({ same, uses, budget, ceiling }: GrantTerms) => {
    const bounds = [
      same.length === 0 ? 'the same arguments' : `the same ${all(same)}`,
      ...(uses === null ? [] : [`at most ${count(uses, { one: 'use', other: 'uses' })}`]),
      ...(budget === null ? [] : [`${budget.argument} up to ${number(budget.total)} in total`]),
      `never above ${ceiling} risk`,
    ];
    return `“The same” means: the same requester and tool, ${bounds.join(', ')}. Everyone who approves must allow it, the shortest time counts, and it can be ended at any time.`;
  },
};

export const breakGlass = {
  title: 'Emergency override',
  lead: 'If waiting for the policy would cause harm, you can approve past it. Use this only as a last resort.',
  open: 'Emergency override…',
  consequences: [
    'The call runs immediately, exactly as shown, without the missing approvals.',
    'Everyone who uses this console is told.',
    'Someone else reviews it, with your reason.',
  ],
  reason: 'Why it can’t wait',
  reasonNote: 'At least 20 characters. It’s kept in the log.',
  reasonMissing: (characters: number) => `Say why it can’t wait, in at least ${number(characters)} characters.`,
  password: 'Your password',
  passwordMissing: 'Enter your password.',
  press: 'Run now, past the policy:',
  close: 'Close',
  done: 'Override recorded. The call can run now.',
  used: (name: string) => `${name} approved this past its policy, by emergency override.`,
  due: 'Review due',
  reviewed: (name: string, isJustified: boolean) =>
    `${name} reviewed it and found it ${isJustified ? 'justified' : 'not justified'}.`,
  justified: 'Was it justified?',
  yes: 'Yes',
  no: 'No',
  finding: 'Your findings',
  review: 'Save review',
  reviewMissing: 'Choose yes or no, and write down your findings.',
  reviewKept: 'Review saved.',
};

/** Why a button can’t be pressed now. */
export const reasons = {
  changed: 'The request changed. Read the new version, then confirm that you did.',
  readFirst: (seconds: number) => `You can approve in ${seconds} s. Read it first.`,
  pauseFirst: (milliseconds: number) =>
    `You approved many requests, or several within seconds each. Take a break: you can go on in ${duration(milliseconds)}.`,
  unread: 'Read the rest of the request first: not all of it was on your screen.',
  sending: 'Your last action is still being sent.',
  turn: (waiting: string, stage: number, stages: number) =>
    stages === 1 ? `${waiting}.` : `${waiting} (stage ${number(stage)} of ${number(stages)}).`,
};

export const comparison = {
  title: 'Compared with the last approved call',
  same: 'The same arguments as',
  changed: (differences: number) => `${count(differences, { one: 'change', other: 'changes' })} since`,
  approved: 'the last approved call of this tool that you can read',
  all: 'all arguments',
  cut: (differences: number) => `Only the first ${number(differences)} are shown.`,
};

export const lookBack = {
  chosen: 'Its policy allowed this without asking. It was chosen for a later look.',
  open: 'No one has looked at it yet.',
  reviewed: (name: string, shouldHaveAsked: boolean) =>
    shouldHaveAsked ? `${name} says that people should have been asked.` : `${name} says that this is as it should be.`,
  question: 'Was it right not to ask?',
  right: 'As it should be',
  wrong: 'People should have been asked',
  finding: 'Note',
  missing: 'Choose an answer.',
  noteMissing: 'Say why people should have been asked.',
  save: 'Save',
  saved: 'Saved.',
};
