import { formatsIn } from '#platform/text/formats';

const { count } = formatsIn('en');

export const times = {
  now: 'just now',
  ago: (text: string) => `${text} ago`,
  ahead: (text: string) => `in ${text}`,
  days: 'd',
  hours: 'h',
  minutes: 'min',
  seconds: 's',
};

export const drafts = { notNumber: 'Enter a number with digits and at most one point, such as 1250.50.' };

/** Why a button can’t be pressed, as far as roles alone decide. */
export const permissions = {
  own: 'You can’t change this for yourself. Ask another administrator or the operator.',
  signedOut: 'You’re signed out.',
};

export const answers = {
  unknown: 'Something went wrong on this page. Nothing was decided.',
  unavailable: 'The database can’t be reached right now. Try again in a moment.',
  conflict: 'Too many changes arrived at once. Nothing was changed; try again.',
  invalid: 'Not sent: check the marked fields.',
  unreadable: 'Assentry sent something this page can’t read. Reload the page.',
  signedOut: 'Your session ended. Sign in again.',
};

export const amounts = {
  characters: (characters: number) => count(characters, { one: 'character', other: 'characters' }),
  inLines: (size: string, lines: number) => `${size} in ${count(lines, { one: 'line', other: 'lines' })}`,
};

/** After a name, before what it is. */
export const colon: string = ':';
