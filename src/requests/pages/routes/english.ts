import type { Action, Outcome } from '../../asking/contract/elicitation.ts';
import { formatsIn } from '#platform/text/formats';

const { count, duration } = formatsIn('en');

/** The words of the hosted pages. */
export const proof = {
  codeTitle: 'Enter the code',
  codeHeading: 'Enter the code from your MCP client',
  codeNote:
    'Your MCP client showed six digits together with the link to this page. They prove that the request is for you.',
  code: 'Code',
  open: 'Open the request',
  wrongCode: (tries: number) =>
    `That code isn’t right. Check it again: ${count(tries, { one: 'try', other: 'tries' })} left.`,
  closedTitle: 'This page is closed',
  lockedTitle: 'This link is locked',
  lockedHeading: 'Too many wrong codes',
  /** Milliseconds, of whole minutes; null if it never opens. */
  lockedNote: (opensIn: number | null) =>
    `${opensIn === null ? 'This link accepts no more codes.' : `This link accepts a code again in ${duration(opensIn)}.`} Nothing was decided here.`,
  lockedAdvice:
    'To go on now, let the tool ask again in your MCP client. It shows a new link and, after wrong codes, a new code; both work at once.',
  noCookieTitle: 'This browser keeps no cookies',
  noCookieHeading: 'Allow cookies for this page',
  noCookieNote:
    'This browser didn’t send back the cookie by which the page knows it again. What you sent was not looked at, and nothing was decided.',
  noCookieAdvice: 'Allow cookies for this address, or use another browser. Then open the link again.',
  personTitle: 'Show that it’s you',
  personHeading: 'Show that this request is for you',
  personNote: 'This request is for one person only. Sign in to the console as this person, then continue here.',
  signIn: 'Sign in',
  signedIn: 'I’ve signed in',
  wrongPerson:
    'No one is signed in here, or it’s not the person who was asked. If it’s you, ask an administrator to link you to the name that the tool knows you by.',
  notThisCode:
    'Nothing was opened. The code may be wrong, a newer one may have replaced it, or the request may have ended. If it’s yours, let the tool ask again: it shows the link and the code that work now.',
  notThisPerson:
    'Nothing was opened. No one may be signed in here, it may not be the person who was asked, or the request may have ended. If it’s yours, let the tool ask again, or ask an administrator to link you to the name that the tool knows you by.',
  closedHeading: 'You can’t open this request here',
  closedNote:
    'The tool didn’t identify you in a way that can be checked, so this page can’t tell that the request is for you. Nothing was decided.',
  closedAdvice: 'Answer in your MCP client instead, or ask the people who run the tool to verify who uses it.',
};

export const question = {
  title: (name: string) => `${name} needs your answer`,
  notSent: (title: string) => `Not sent: ${title}`,
  needsAnswer: 'needs your answer',
  question: 'Request',
  agent: 'Agent’s reason (unverified)',
  what: 'What will run',
  tool: 'The tool',
  withArguments: 'with',
  withoutArguments: 'without arguments',
  who: 'Requested by',
  server: 'The MCP server',
  runs: 'It runs',
  requester: 'You’re asked as',
  until: 'Answer by',
  remaining: (milliseconds: number) => `in ${duration(milliseconds)}`,
  untilNote: 'Only you can answer. Without an answer, the request expires and the tool doesn’t run.',
  nothingSent: 'Nothing was sent yet',
  kept: 'What you typed is kept. Check these fields:',
  keptWithoutSecrets: 'What you typed is kept, except secrets. Check these fields:',
  leaving: 'You’ll leave Assentry for',
  imitates: (host: string) => [
    'This name may imitate another one: it reads as ',
    host,
    '. Continue only if you expected exactly this name.',
  ],
  insecure: 'The connection to it isn’t encrypted.',
  address: 'Full address',
  goTo: (host: string) => `Continue to ${host}`,
  send: 'Send answer',
  accept: 'Accept',
  decline: 'Decline',
  cancel: 'Cancel',
  acceptUrl: 'Continuing takes you there; the tool continues when the other side reports the result.',
  acceptForm: (server: string) => ['Your answer goes to ', server, ', and the tool continues with it.'],
  others: '“Decline” says no. “Cancel” ends the request without an answer.',
};

export const credential = {
  signInTitle: 'Show that this link is for you',
  signInNote:
    'With this link, one person enters their credentials for a server. Sign in to the console as this person, then continue here.',
  wrongPerson:
    'No one is signed in here, or the link is for someone else. If it’s yours, ask an administrator to link you to the name that your MCP client signs you in with.',
  title: (server: string) => `Your credentials for ${server}`,
  note: [
    'Your MCP client calls ',
    ' for you. Enter what that server knows you by, such as an access token or an API key.',
  ],
  who: 'Stored for',
  label: 'Credentials',
  advice: 'They’re stored encrypted and sent only to this server, in your calls. No one is shown them again.',
  wrong: 'Enter the credentials in one line, without letters that can’t be sent. Nothing was stored.',
  store: 'Store credentials',
  stored: 'Your credentials are stored',
  storedNote: (server: string) => `Go back to your MCP client and call ${server} again. You can close this page.`,
  manage: 'Replace or remove them in your profile',
};

export const field = {
  optional: 'optional',
  choose: 'Choose…',
  noAnswer: 'No answer',
  yes: 'Yes',
  no: 'No',
};

export const result = {
  headings: { accept: 'Your answer was sent', decline: 'You declined', cancel: 'You cancelled' } satisfies Record<
    Action,
    string
  >,
  sentences: {
    accept: 'has your answer, and the tool continues.',
    decline: 'was told that you declined.',
    cancel: 'was told that you gave no answer.',
  } satisfies Record<Action, string>,
  close: 'You can close this page and go back to your MCP client.',
  receipt: 'Download receipt',
  receiptNote: 'signed proof of your answer, verifiable offline.',
  ended: {
    headings: {
      accepted: 'This request has been answered',
      declined: 'This request was declined',
      cancelled: 'This request was cancelled',
      expired: 'This request has expired',
    } satisfies Record<Outcome, string>,
    sentences: {
      accepted: 'It was answered here or in your MCP client, and the tool has that answer.',
      declined: 'It was declined here or in your MCP client, and the tool was told.',
      cancelled: 'It ended without an answer: you cancelled it, or the tool or an administrator did.',
      expired: 'There was no answer in time, and the tool was told. If you still want it, let the tool ask again.',
    } satisfies Record<Outcome, string>,
    unsent: 'What you have just sent changed nothing: the request was over before.',
  },
  callback: 'You can close this page',
  callbackNote:
    'There’s nothing to do here: the service reports the result itself. Go back to your MCP client to see it.',
  trouble: 'Open the link again to continue. If this happens again, give this number to the people who run Assentry:',
  invalid: 'This link isn’t valid',
  invalidNote: 'It may have been used, have expired or be incomplete. Opening it changed nothing.',
  invalidAdvice:
    'If you’ve just answered, your answer counts, and your MCP client shows the result. If not, let the tool ask again.',
};
