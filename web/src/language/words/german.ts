import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count } = formatsIn('de');

export const times: typeof english.times = {
  now: 'gerade eben',
  ago: (text) => `vor ${text}`,
  ahead: (text) => `in ${text}`,
  days: 'T',
  hours: 'Std.',
  minutes: 'Min.',
  seconds: 'Sek.',
};

export const drafts: typeof english.drafts = {
  notNumber: 'Geben Sie eine Zahl aus Ziffern und höchstens einem Punkt ein, zum Beispiel 1250.50.',
};

export const permissions: typeof english.permissions = {
  own: 'Das können Sie nicht für sich selbst ändern. Bitten Sie jemanden aus der Administration oder dem Betrieb.',
  signedOut: 'Sie sind abgemeldet.',
};

export const answers: typeof english.answers = {
  unknown: 'Auf dieser Seite ist etwas schiefgegangen. Nichts wurde entschieden.',
  unavailable: 'Die Datenbank ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  conflict: 'Zu viele Änderungen kamen gleichzeitig an. Nichts wurde geändert; versuchen Sie es noch einmal.',
  invalid: 'Nicht gesendet: Prüfen Sie die markierten Felder.',
  unreadable: 'Assentry hat etwas gesendet, das diese Seite nicht lesen kann. Laden Sie die Seite neu.',
  signedOut: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an.',
};

export const amounts: typeof english.amounts = {
  characters: (characters) => count(characters, { one: 'Zeichen', other: 'Zeichen' }),
  inLines: (size, lines) => `${size} in ${count(lines, { one: 'Zeile', other: 'Zeilen' })}`,
};

export const colon: string = ':';
