import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { MinorUnit } from '#requests/facts/contract/facts';
import { formatsIn } from '#platform/text/formats';
import type { Left } from './later-words.ts';
import type { SaidSignal } from './url-facts.ts';

const { all, count, duration, number } = formatsIn('en');

type Progress = NonNullable<ElicitationDetail['progress']>;

/** The words of the decision card, and of the form. */
export const card = {
  requester: 'Requester',
  tool: 'Runs',
  on: 'on',
  absent: 'not given',
  items: (items: number) => count(items, { one: 'item', other: 'items' }),
  empty: 'empty text',
  cut: 'more on the page',
  saidBy: (server: string) => `${server} writes:`,
  notShown: (values: number) =>
    `${count(values, { one: 'argument is', other: 'arguments are' })} not shown here, only on the page.`,
  notShownAtAll: 'The arguments are not shown here, only on the page.',
  stray: (numbers: string[]) => `${all(numbers)}: not among the arguments.`,
  verbs: (verbs: string[]) => `SQL: ${verbs.join(', ')}`,
  minor: {
    cents: (currency: string | null) => (currency === null ? 'in cents' : `in cents, not in ${currency}`),
    micros: (currency: string | null) => (currency === null ? 'in millionths' : `in millionths of ${currency}`),
    minor: (currency: string | null) =>
      currency === null ? 'in the smallest unit' : `in the smallest unit, not in ${currency}`,
  } satisfies Record<MinorUnit, (currency: string | null) => string>,
};

/** What sets a request apart, and how that was found out. */
export const signals = {
  title: 'Compared with past requests',
  say: (signal: SaidSignal): string => {
    if (signal.kind === 'reaches') return 'The server runs something else than at the last approval';
    if (signal.kind === 'new') return `New ${signal.what}`;
    if (signal.kind === 'amount') return `${number(signal.times)} × the usual ${number(signal.usual)}`;
    if (signal.kind === 'burst')
      return `${signal.isMore ? 'More than ' : ''}${count(signal.calls, { one: 'request', other: 'requests' })} in 10 minutes`;
    if (signal.kind === 'unchecked') return 'Requester not verified, unlike before';
    return signal.kind === 'hour' ? `Unusual time: ${signal.time}` : 'Tool changed since its last approval';
  },
  explain: (signal: SaidSignal): string => {
    const { of } = signal;
    if (signal.kind === 'reaches') return 'What the server runs, or where it is, differs from the last approved call.';
    if (signal.kind === 'new')
      return `${signal.label}: ${signal.value} is in none of the last ${count(of, { one: 'approved call', other: 'approved calls' })} of this tool.`;
    if (signal.kind === 'amount')
      return `The median of ${signal.label} in the last ${count(of, { one: 'approved call', other: 'approved calls' })} with the same currency is ${number(signal.usual)}.`;
    if (signal.kind === 'burst') return `The same requester made the others in the ten minutes before.`;
    if (signal.kind === 'hour')
      return `None of the last ${count(of, { one: 'request', other: 'requests' })} came within three hours of this time of day.`;
    if (signal.kind === 'unchecked')
      return `The requester was verified in each of the last ${count(of, { one: 'approved call', other: 'approved calls' })} of this tool.`;
    return 'Its title, description, hints or schema differ from those of the last approved call.';
  },
  from: 'From',
  more: (requests: number) => `and ${number(requests)} more`,
  note: 'Only requests that you can read count.',
  was: 'was',
  added: 'new',
};

export const decide = {
  title: 'Your decision',
  fold: 'Hide',
  unfold: 'Decide',
  openComment: 'Add a comment',
  openTerms: 'Comment and options',
  hold: 'Hold for one second',
  pressAgain: 'Press again to approve',
  keepHolding: 'Keep holding',
  left: (left: Left) => {
    if (left.kind === 'changed') return 'Read the new version first';
    if (left.kind === 'passkey') return 'Add a passkey first';
    if (left.kind === 'read') return 'Read the rest first';
    if (left.kind === 'comment') return 'Comment missing';
    if (left.kind === 'typed') return `Type ${left.text}`;
    const { count: fields, first, isMissing } = left;
    if (!isMissing) return `${count(fields, { one: 'answer', other: 'answers' })} to correct: ${first}`;
    return `${count(fields, { one: 'answer', other: 'answers' })} missing: ${fields === 1 ? first : `${first}, …`}`;
  },
  sign: 'Sign with your passkey',
  signs: (tool: string) => `Sign with your passkey: approve ${tool}. Your device asks once more.`,
  final: 'Once it runs, it can’t be undone here.',
  given: (filled: number, required: number) =>
    `${number(filled)} of ${count(required, { one: 'required field', other: 'required fields' })} filled in.`,
  form: 'What the tool needs to know',
  formBroken: 'The form of this request can’t be shown, so you can’t approve it here. You can decline or withdraw it.',
  optional: 'optional',
  comment: 'Comment',
  commentNote: 'Required to decline. Visible to agent and requester.',
  commentRule: (rule: string) => `${rule} Visible to agent and requester.`,
  toType: (text: string) => `Type ${text} to approve.`,
  commentMissing: 'Say why you decline, so that the agent and the requester know what to change.',
  approveWord: 'Approve',
  approve: (tool: string) => `Approve ${tool}`,
  decline: 'Decline',
  cancel: 'Withdraw request',
  before: 'What each button does',
  approves: (progress: Progress | null, allowFor: number | null) => {
    const done =
      allowFor === null
        ? 'lets this call run once, exactly as shown.'
        : `lets this call run as shown, and the same call again without asking for ${duration(allowFor)}.`;
    if (progress === null) return done;
    const missing = progress.need - progress.have - 1;
    if (missing > 0)
      return `counts as your vote: yours is approval ${number(progress.have + 1)} of ${number(progress.need)} in this stage.`;
    if (progress.stage >= progress.stages) return done;
    return 'counts as your vote and completes this stage. The call runs after the remaining stages.';
  },
  declines: (isLast: boolean): string =>
    isLast
      ? 'ends the request. The tool doesn’t run, and the agent gets your comment.'
      : 'counts as your vote against it. The request ends when enough people decline.',
  voteAs: 'Whose vote',
  voteAsNote: 'They delegated their vote to you. Both names are shown.',
  ownName: 'My own',
  inPlaceOf: (name: string) => `For ${name}`,
  forSomeone: (name: string) => `for ${name}`,
  cancels: 'Ends the request without an answer, for good. The tool doesn’t run.',
  faults: (faults: number) => `${count(faults, { one: 'field needs', other: 'fields need' })} your attention.`,
  armed: (verb: string) => `${verb}? Press Y to confirm, Esc to cancel.`,
  more: 'Deadline',
  hour: 'Extend by 1 hour',
  day: 'Extend by 1 day',
  extended: 'Deadline extended.',
};

export const field = {
  yes: 'Yes',
  no: 'No',
  noAnswer: 'No answer',
  choose: 'Choose…',
  counted: (have: number, most: number) =>
    `${number(have)} of ${count(most, { one: 'character', other: 'characters' })}`,
  zone: (zone: string) => `In your time zone: ${zone}`,
};
