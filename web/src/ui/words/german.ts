import { maxCounted } from '#requests/asking/contract/elicitation';
import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { number } = formatsIn('de');

export const risks: typeof english.risks = {
  low: 'Niedriges Risiko',
  medium: 'Mittleres Risiko',
  high: 'Hohes Risiko',
};

export const builtIn: typeof english.builtIn = {
  policy: 'eingebaut',
  stages: { Approval: 'Freigabe', 'Second administrator': 'Zweite Person der Administration' },
};

export const roleNames: typeof english.roleNames = {
  admin: 'Administration',
  'policy-author': 'Richtlinien',
  operator: 'Betrieb',
  approver: 'Freigabe',
  reviewer: 'Prüfung',
};

export const endings: typeof english.endings = {
  open: 'Offen',
  accepted: 'Freigegeben',
  declined: 'Abgelehnt',
  cancelled: 'Abgebrochen',
  expired: 'Abgelaufen',
};
export const causes: typeof english.causes = {
  superseded: 'Durch eine neuere Anfrage ersetzt',
  caller_gone: 'Aufrufer nicht mehr da',
};

export const digits: typeof english.digits = { decimalPoint: 'Dezimalpunkt' };

export const callers: typeof english.callers = { waiting: 'Aufrufer wartet', gone: 'Aufrufer weg' };

export const times: typeof english.times = {
  over: 'Überfällig',
  left: (text) => `noch ${text}`,
};

export const someoneGone = 'Ehemalige Person';

export const places: typeof english.places = {
  inbox: 'Eingang',
  history: 'Verlauf',
  insights: 'Auswertung',
  policies: 'Richtlinien',
  users: 'Personen',
  audit: 'Prüfung',
  settings: 'Einstellungen',
};

export const newPassword: typeof english.newPassword = {
  label: 'Passwort',
  rule: 'Mindestens 15 Zeichen. Ein paar Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.',
  tooShort: (length) => `Mindestens 15 Zeichen; bisher sind es ${number(length)}.`,
};

export const linkPage: typeof english.linkPage = { signIn: 'Zur Anmeldung' };

export const chooseUser = 'Person auswählen…';

/** A count of open requests, which goes no further than `maxCounted`. */
const counted = (requests: number): string => `${number(requests)}${requests < maxCounted ? '' : '+'}`;

export const shell: typeof english.shell = {
  product: 'Assentry',
  skip: 'Zum Inhalt springen',
  skipToDecision: 'Zur Entscheidung springen',
  main: 'Hauptmenü',
  counted,
  waiting: (requests) => `${counted(requests)} warten auf Sie`,
  signOut: 'Abmelden',
  account: 'Ihr Profil:',
  find: 'Seite oder Aktion finden',
  shortcuts: 'Tastenkürzel',
  togglePassword: 'Passwort zeigen oder verbergen',
  language: 'Sprache',
  languages: { browser: 'Sprache des Browsers', en: 'English', de: 'Deutsch', fr: 'Français' },
  loading: 'Wird geladen',
  signedOut:
    'Ihre Sitzung ist beendet. Ihre Eingaben sind noch da: Melden Sie sich in einem neuen Tab an, und kommen Sie dann zurück.',
  signInAgain: 'In neuem Tab anmelden',
  signOutFailed: 'Das Abmelden hat nicht geklappt. Sie sind noch angemeldet; versuchen Sie es noch einmal.',
};

export const problems: typeof english.problems = {
  retry: 'Noch einmal versuchen',
  reference: (errorId) => `Kennung für den Betrieb: ${errorId}`,
  broken: 'Diese Seite konnte nicht geladen werden',
  brokenNote:
    'Prüfen Sie die Verbindung und laden Sie die Seite neu. Passiert es wieder, sagen Sie dem Betrieb, was Sie gerade getan haben.',
  reload: 'Seite neu laden',
  stale: 'Die Seite konnte nicht aktualisiert werden und ist vielleicht veraltet.',
};

export const notFound: typeof english.notFound = {
  missing: 'Seite nicht gefunden',
  missingNote: 'Vielleicht ist die Adresse unvollständig. Offene Anfragen stehen im Eingang, vergangene im Verlauf.',
  inbox: 'Zum Eingang',
};
