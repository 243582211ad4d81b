import type { ProblemCode } from '../../../../src/model/problem.ts';
import { spoken } from '../../lib/language/language.ts';

const noMatch = 'Email and password don’t match. Check both and try again.';

const english = {
  words: {
    title: 'Sign in',
    note: 'See what’s waiting for your decision.',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    byLink: 'Signing you in with your link…',
    emailMissing: 'Enter your email address.',
    passwordMissing: 'Enter your password.',
    linkFailed: 'This link no longer works: it has been used or has expired. Ask for a new one, or sign in below.',
  },
  /** One sentence for a wrong address and a wrong password alike, so that no one can find out which addresses exist. */
  failures: {
    unauthenticated: noMatch,
    forbidden: noMatch,
    INVALID_INPUT: noMatch,
    'rate-limited': 'Too many attempts. Wait a few minutes, then try again.',
    unavailable: 'Assentry can’t be reached. Check your connection, then try again.',
  } as Partial<Record<ProblemCode, string>>,
};

const germanNoMatch =
  'E-Mail-Adresse und Passwort passen nicht zusammen. Prüfen Sie beides, und versuchen Sie es noch einmal.';

const german: typeof english = {
  words: {
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
  },
  failures: {
    unauthenticated: germanNoMatch,
    forbidden: germanNoMatch,
    INVALID_INPUT: germanNoMatch,
    'rate-limited': 'Zu viele Versuche. Warten Sie ein paar Minuten, und versuchen Sie es dann noch einmal.',
    unavailable: 'Assentry ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.',
  },
};

export const catalogues = { en: english, de: german };
export const { failures, words } = spoken<typeof english>(catalogues);
