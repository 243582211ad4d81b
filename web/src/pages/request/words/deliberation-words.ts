import type { GrantTerms } from './grant-terms.ts';

/** Every sentence of what people do with a request beside voting. */
export const revisions = {
  title: 'Changed by approvers since it was asked',
  note: 'What runs is the newest. Votes from before a change do not count.',
  before: 'Before',
  after: 'Now',
};

export const editing = {
  open: 'Change arguments',
  title: 'Change what will run',
  note: 'Every vote so far is void then, your own too, and the policies judge the changed call anew. Everybody who votes sees what you changed.',
  save: 'Change and start over',
  close: 'Leave it as it is',
  done: 'The call is changed. It needs every approval anew.',
  faulty: 'Put right what is marked first.',
  unchanged: 'Nothing is different yet.',
};

export const discussion = {
  title: 'Discussion',
  none: 'Nothing has been said yet.',
  requester: 'The requester',
  kinds: { comment: 'said', question: 'asked the requester', reply: 'replied' },
  told: 'As the agent tells it: nothing shows that the requester was asked.',
  refused: 'They did not want to say.',
  waiting: 'The requester has been asked and has not replied yet.',
  label: 'Say or ask something',
  note: 'A comment is for those who decide. A question goes to the requester, whose reply appears here. Neither decides anything.',
  empty: 'Write something first.',
  comment: 'Comment',
  commented: 'Your comment is kept.',
  ask: 'Ask the requester',
  asked: 'The requester is asked.',
};

export const more = {
  nobody: 'Nobody is marked as reviewing this.',
  mine: 'The others see that you are reviewing this.',
  reviewing: (name: string) => `${name} is reviewing this. You may still decide.`,
  take: 'Mark as reviewing',
  held: 'You are marked as reviewing this.',
  release: 'Stop reviewing',
  letGo: 'You are no longer marked as reviewing this.',
  voted: 'You have voted here.',
  withdraw: 'Take my vote back',
  withdrawn: 'Your vote is taken back.',
  addApprover: 'Ask one more person',
  addApproverNote: 'They must approve, too, after this stage. Nobody who is required is left out.',
  chooseFirst: 'Choose a person first.',
  add: 'Ask them',
  approverAdded: 'They are asked, too.',
  postpone: 'Start no earlier than',
  postponeNote: (zone: string) => `Before the deadline. In your time zone: ${zone}`,
  timeFirst: 'Choose a time first.',
  setStart: 'Set the start',
  postponed: 'The start is set.',
  close: 'Close',
};

export const fresh = {
  title: 'This policy wants a password typed lately. Nothing was decided yet.',
  note: 'Type your password; what you wrote is kept. Then press your decision again.',
  password: 'Password',
  confirm: 'Confirm it is me',
  done: 'Confirmed. Press your decision again.',
};

export const allowing = {
  label: 'If you approve',
  once: 'Only this once',
  lasting: (duration: string) => `And the same without asking, for ${duration}`,
  bounds: ({ same, uses, budget, ceiling }: GrantTerms) => {
    const bounds = [
      same.length === 0 ? 'the same arguments' : `the same ${same.join(', ')}`,
      ...(uses === null ? [] : [`at most ${uses} times`]),
      ...(budget === null ? [] : [`${budget.argument} up to ${budget.total.toLocaleString('en')} in total`]),
      `never above ${ceiling} risk`,
    ];
    return `The same means: the same requester and tool, ${bounds.join(', ')}. All who approve must allow it; the shortest time holds. It can be ended at any time.`;
  },
};

export const breakGlass = {
  title: 'Emergency override',
  lead: 'If waiting for the policy would do harm, you may decide past it. It is a last resort.',
  open: 'Override the policy…',
  consequences: [
    'The call runs at once, exactly as shown, without the approvals that are missing.',
    'Everybody who uses this console is told.',
    'Somebody else reviews it, with your reason.',
  ],
  reason: 'Why it cannot wait',
  reasonNote: 'At least 20 characters. It is kept in the log.',
  reasonMissing: (length: number) => `Say in at least ${length} characters why it cannot wait.`,
  password: 'Your password',
  passwordMissing: 'Type your password.',
  press: 'Run now, past the policy:',
  close: 'Close',
  done: 'The policy is overridden. The call may run now.',
  used: (name: string) => `${name} used the emergency override: this was decided past its policy.`,
  due: 'A review is due',
  reviewed: (name: string, isJustified: boolean) =>
    `${name} reviewed it and found it ${isJustified ? 'justified' : 'not justified'}.`,
  justified: 'Was it justified?',
  yes: 'Yes',
  no: 'No',
  finding: 'What you found',
  review: 'Keep the review',
  reviewMissing: 'Answer, and say what you found.',
  reviewKept: 'Your review is kept.',
};
