import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number } = formatsIn('de');

export const mail: typeof english.mail = {
  turn: (tool) => `Ihre Freigabe wird gebraucht: ${tool}`,
  reminder: (tool) => `Wartet noch auf Sie: ${tool}`,
  accepted: (tool) => `Freigegeben: ${tool}`,
  declined: (tool) => `Abgelehnt: ${tool}`,
  expired: (tool) => `Abgelaufen, niemand hat rechtzeitig entschieden: ${tool}`,
  review: (policy) => `Eine Richtlinie wartet auf Ihre Prüfung: ${policy}`,
  key: (server) => `Ein Schlüssel läuft bald ab: ${server}`,
  members: (group) => `Mitglieder einer Gruppe warten auf Ihre Bestätigung: ${group}`,
  report: (tool) => `Ein Dienst hat etwas gemeldet, das kein Aufruf erhielt: ${tool}`,
  changed: (tool) => `Ein Tool Ihres Servers hat sich geändert: ${tool}`,
  signIn: {
    password: 'Ihr Passwort für Assentry wurde gesetzt',
    'passkey-added': 'Ihrem Konto wurde ein Passkey hinzugefügt',
    'passkey-removed': 'Ein Passkey Ihres Kontos wurde entfernt',
    'app-added': 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
    'app-removed': 'Die Authenticator-App Ihres Kontos wurde entfernt',
    'recovery-codes': 'Sie haben neue Wiederherstellungscodes',
    'provider-connected': 'Ihr Konto wurde mit einem Identitätsanbieter verbunden',
    'provider-removed': 'Ihr Konto wurde von einem Identitätsanbieter getrennt',
    address: 'Assentry schreibt Ihnen jetzt an eine andere Adresse',
  },
  signInNote:
    'Wenn Sie das waren, ist nichts zu tun. Wenn nicht, beenden Sie auf der Seite Ihres Kontos Ihre anderen Sitzungen, und sagen Sie es der Administration.',
  link: 'Setzen Sie Ihr Passwort für Assentry',
  linkNote: (until) =>
    `Die Administration von Assentry bittet Sie, ein Passwort zu setzen. Dieser Link gilt einmal, bis ${until}. Geben Sie ihn niemandem.`,
  resetNote:
    'Wenn Sie ihn verwenden, werden auch Ihre Passkeys und Ihre Authenticator-App entfernt, und Sie fügen neue hinzu. Haben Sie nicht darum gebeten, verwenden Sie ihn nicht und sagen Sie es dem Betreiber.',
  test: 'Ein Test von Assentry',
  testNote: 'E-Mails von Assentry erreichen Sie unter dieser Adresse.',
  several: (notices) => count(notices, { one: 'Mitteilung', other: 'Mitteilungen' }),
  more: (notices) => `Und ${number(notices)} weitere: siehe Eingang.`,
  tool: 'Tool',
  server: 'Server',
  risk: 'Risiko',
  risks: { low: 'niedrig', medium: 'mittel', high: 'hoch' },
  until: 'Bis',
  open: 'In Assentry öffnen',
  footer:
    'Entscheiden können Sie nur in Assentry, nachdem Sie sich angemeldet haben. Diese E-Mail zeigt keinen Inhalt der Anfrage.',
};

export const push: typeof english.push = { testNote: 'Mitteilungen von Assentry erreichen dieses Gerät.' };

export const call: typeof english.call = {
  waiting: (tool) => `Freigabe nötig: ${tool}`,
  reminded: (tool) => `Wartet noch auf Freigabe: ${tool}`,
  withdrawn: (tool) => `Zurückgezogen: ${tool}`,
};
