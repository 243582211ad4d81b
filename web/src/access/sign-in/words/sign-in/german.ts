import type * as english from './english.ts';

const noMatch =
  'E-Mail-Adresse und Passwort passen nicht zusammen. Prüfen Sie beides, und versuchen Sie es noch einmal.';

export const words: typeof english.words = {
  title: 'Anmelden',
  note: 'Sehen Sie, was auf Ihre Entscheidung wartet.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  byLink: 'Sie werden mit Ihrem Link angemeldet…',
  emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  linkFailed:
    'Dieser Link funktioniert nicht mehr: Er wurde benutzt oder ist abgelaufen. Bitten Sie um einen neuen, oder melden Sie sich unten an.',
};

export const failures: typeof english.failures = {
  unauthenticated: noMatch,
  forbidden: noMatch,
  INVALID_INPUT: noMatch,
  'rate-limited': 'Zu viele Versuche. Warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal.',
  unavailable: 'Assentry ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.',
};
