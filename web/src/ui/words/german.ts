import { mostCounted } from '../../../../src/model/elicitation.ts';
import { formatsIn } from '../../../../src/model/words/formats.ts';
import type * as english from './english.ts';

const { count, number } = formatsIn('de');

export const risks: typeof english.risks = {
  low: 'Niedriges Risiko',
  medium: 'Mittleres Risiko',
  high: 'Hohes Risiko',
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

/** A count of open requests, which goes no further than `mostCounted`. */
const counted = (requests: number): string => `${number(requests)}${requests < mostCounted ? '' : '+'}`;

export const shell: typeof english.shell = {
  product: 'Assentry',
  skip: 'Zum Inhalt springen',
  skipToDecision: 'Zur Entscheidung springen',
  main: 'Hauptmenü',
  counted,
  waiting: (requests) => `${counted(requests)} warten auf Sie`,
  reviewsDue: (versions) => `${counted(versions)} zu prüfen`,
  groupsDue: (groups) => (groups === 1 ? '1 Gruppe zu bestätigen' : `${counted(groups)} Gruppen zu bestätigen`),
  signOut: 'Abmelden',
  account: 'Ihr Profil:',
  shortcuts: 'Tastenkürzel',
  language: 'Sprache',
  languages: { browser: 'Sprache des Browsers', en: 'English', de: 'Deutsch' },
  loading: 'Wird geladen',
  signedOut:
    'Ihre Sitzung ist beendet. Ihre Eingaben sind noch da: Melden Sie sich in einem neuen Tab an, und kommen Sie dann zurück.',
  signInAgain: 'In neuem Tab anmelden',
  signOutFailed: 'Das Abmelden hat nicht geklappt. Sie sind noch angemeldet; versuchen Sie es noch einmal.',
};

export const problems: typeof english.problems = {
  retry: 'Noch einmal versuchen',
  reference: (errorId) => `Kennung für den Betrieb: ${errorId}`,
  broken: 'Diese Seite funktioniert nicht mehr',
  brokenNote: 'Nichts wurde entschieden. Laden Sie die Seite neu; passiert es wieder, sagen Sie es dem Betrieb.',
  reload: 'Seite neu laden',
  stale: 'Die Seite konnte nicht aktualisiert werden und ist vielleicht veraltet.',
};

export const changes: typeof english.changes = {
  waiting: 'Wartet auf eine zweite Person der Administration',
  waitingNote: 'Mehr hat sich noch nicht geändert: Jemand anderes aus der Administration muss das annehmen.',
  open: 'Anfrage öffnen',
  alone: {
    trial: 'Erledigt.',
    'only-administrator':
      'Das gilt sofort: Sobald eine zweite Person der Administration ein Passwort gesetzt hat, nimmt eine von Ihnen an, was die andere möchte.',
  },
};

export const copying: typeof english.copying = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  failed: 'Der Browser hat das Kopieren verhindert. Markieren und kopieren Sie den Text selbst.',
};

/** Of a table of like things. */
export const listTable: typeof english.listTable = {
  constant: (rows) => `In allen ${number(rows)} gleich`,
  outlier: (rare, rows, column) => `${number(rare)} von ${number(rows)} weicht ab: ${column}`,
  outliers: (rare, rows, column) => `${number(rare)} von ${number(rows)} weichen ab: ${column}`,
  most: 'sonst',
  sum: (column) => `Summe von ${column}`,
  absent: 'nicht angegeben',
  row: 'Nr.',
  label: (name) => `Einträge von ${name}`,
};

export const charts: typeof english.charts = {
  day: 'Ab',
  table: 'Als Tabelle zeigen',
  cut: (days) => `Oben abgeschnitten, damit der Rest zu sehen ist. ${days.join(' · ')}`,
  chartOf: (title) => `${title}; die Zahlen stehen in der Tabelle darunter`,
};

export const stopped: typeof english.stopped = {
  banner: ({ server, tool, by, reason }) =>
    `${[tool, server].filter((name) => name !== null).join(' von ') || 'Alles'} ist angehalten, durch ${by ?? 'den Betrieb'}: ${reason}`,
  look: 'Notaus',
  more: (more) => (more === 1 ? 'Ein weiterer Notaus gilt' : `${number(more)} weitere Notaus-Schaltungen gelten`),
};

export const breakGlass: typeof english.breakGlass = {
  used: (requests) =>
    `${count(requests, { one: 'Anfrage wurde', other: 'Anfragen wurden' })} per Notfallfreigabe erlaubt. Die Prüfung steht aus.`,
  look: 'Prüfen',
};

export const notFound: typeof english.notFound = {
  missing: 'Seite nicht gefunden',
  missingNote: 'Vielleicht ist die Adresse unvollständig. Offene Anfragen stehen im Eingang, vergangene im Verlauf.',
  inbox: 'Zum Eingang',
};
