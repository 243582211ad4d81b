import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count } = formatsIn('de');

export const words: typeof english.words = {
  title: 'Ihr Profil',
  lead: 'Wie Sie Mitteilungen bekommen, wie die Konsole hier aussieht und wo Sie angemeldet sind.',
  name: 'Name',
  nameNote:
    'Ihr Name steht auf Belegen und im Protokoll neben dem, was Sie entscheiden. Darum ändert ihn nur die Administration. Das gilt auch für E-Mail-Adresse und Rolle.',
};

export const devices: typeof english.devices = {
  title: 'Mitteilungen auf Ihren Geräten',
  note: 'Sie hören von Anfragen, die auf Sie warten, auch wenn die Konsole nicht offen ist. Eine Mitteilung nennt Tool, Server und Risiko, nie den Inhalt. Legen Sie Assentry auf einem Telefon zuerst auf den Startbildschirm.',
  turnOn: 'Für diesen Browser einschalten',
  turnedOn: 'Dieser Browser bekommt ab jetzt Mitteilungen.',
  unsupported:
    'Dieser Browser kann hier keine Mitteilungen zeigen. Er braucht https und auf einem iPhone die App auf dem Startbildschirm.',
  denied:
    'Sie haben Mitteilungen von Assentry in diesem Browser gesperrt. Erlauben Sie sie in seinen Website-Einstellungen, und laden Sie die Seite neu.',
  this: 'Dieser Browser',
  since: 'Hinzugefügt',
  test: (device) => `Test senden: ${device}`,
  testSent: 'Ein Test ist unterwegs.',
  remove: (device) => `Ausschalten: ${device}`,
  removed: 'Dieses Gerät bekommt keine Mitteilungen mehr.',
};

export const settings: typeof english.settings = {
  title: 'Wie und wann Sie Mitteilungen bekommen',
  email: 'Per E-Mail mitteilen',
  emailNote: 'Eine E-Mail nennt Tool, Server, Risiko und Frist, nie den Inhalt.',
  noMails: 'Diese Installation versendet keine E-Mails. Der Betrieb kann ASSENTRY_SMTP_URL setzen.',
  testMail: 'Testmitteilung an mich senden',
  testSent: 'Ein Test ist unterwegs.',
  language: 'Sprache der Mitteilungen',
  timeZone: 'Zeitzone',
  timeZoneNote: 'Tippen Sie einen Teil ihres Namens ein, etwa eine Stadt.',
  timeZoneUnknown: 'Wählen Sie eine Zeitzone aus der Liste.',
  digest: 'Mitteilungen sammeln',
  digests: { none: 'Nein, sofort mitteilen', hourly: 'Zu jeder vollen Stunde', daily: 'Um neun Uhr morgens' },
  quiet: 'Ruhezeiten einhalten',
  quietNote: 'Was dazwischen kommt, wartet auf ihr Ende. Fristen verschieben sich nicht.',
  urgent: 'Dringende Anfragen sofort mitteilen',
  urgentNote:
    'Eine Richtlinie kann ihre Anfragen als dringend bezeichnen. Sie kommen dann auch in Ruhezeiten und einzeln.',
  from: 'Von',
  until: 'Bis',
  save: 'Speichern',
  saved: 'Gespeichert.',
};

export const appearance: typeof english.appearance = {
  title: 'Darstellung',
  note: 'Gilt nur in diesem Browser.',
  theme: 'Farben',
  themes: { auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache der Konsole',
  density: 'Listen',
  densities: { comfortable: 'Geräumig', compact: 'Kompakt' },
  split: 'Liste und Anfrage nebeneinander zeigen',
  splitNote: 'Auf Bildschirmen, die mindestens 1440 Pixel breit sind.',
};

export const credentials: typeof english.credentials = {
  title: 'Ihre Zugangsdaten für Server',
  note: 'Ein Server hinter dem Gateway wird mit dem aufgerufen, was Sie für ihn eingegeben haben. Niemandem wird es noch einmal gezeigt, auch Ihnen nicht.',
  empty:
    'Ein Server fragt nach Ihren Zugangsdaten, wenn Sie ihn zum ersten Mal aufrufen: Ihr MCP-Client zeigt dann einen Link. Danach stehen sie hier.',
  stored: 'Gespeichert',
  used: 'zum ersten Mal benutzt',
  unused: 'noch nicht benutzt',
  refused: 'Ersetzen Sie sie: Der Server hat sie nicht angenommen,',
  replace: (server) => `Ersetzen für ${server}`,
  replaced: 'Ihre Zugangsdaten sind ersetzt.',
  remove: (server) => `Entfernen für ${server}`,
  removed: 'Ihre Zugangsdaten sind entfernt.',
  next: (server) => `Neue Zugangsdaten für ${server}`,
  nextNote: 'Sie gelten ab dem nächsten Aufruf, spätestens nach zehn Sekunden.',
  missing: 'Geben Sie die neuen Zugangsdaten ein.',
  save: 'Zugangsdaten ersetzen',
  cancel: 'Abbrechen',
};

export const passkeys: typeof english.passkeys = {
  title: 'Passkeys',
  note: 'Mit einem Passkey melden Sie sich mit Finger, Gesicht oder PIN an und unterschreiben Ihre Stimmen, wo eine Regel es verlangt. Er bleibt auf Ihrem Gerät oder in der Cloud des Herstellers; Assentry hat nur seinen öffentlichen Schlüssel.',
  add: 'Passkey hinzufügen',
  name: 'Name',
  nameNote: 'Daran erkennen Sie ihn hier.',
  nameMissing: 'Geben Sie einen Namen ein.',
  create: 'Passkey anlegen',
  cancel: 'Abbrechen',
  addedNow: 'Ihr Passkey ist hinzugefügt.',
  remove: (name) => `Entfernen: ${name}`,
  removed: 'Der Passkey ist entfernt, und Sie sind überall sonst abgemeldet.',
  elsewhere:
    'Melden Sie sich unter dieser Adresse an, und fügen Sie ihn dort hinzu, denn Browser binden einen Passkey an den Namen, unter dem er angelegt wird:',
  impossible:
    'Öffnen Sie Assentry in einem aktuellen Browser, über https und unter seinem Namen, nicht unter einer IP-Adresse: Hier lässt sich kein Passkey anlegen.',
};

export const totp: typeof english.totp = {
  title: 'Authenticator-App',
  note: 'Eine App auf Ihrem Telefon, die alle dreißig Sekunden einen neuen Code zeigt. Mit Ihrem Passwort meldet sie Sie dort an, wo ein zweiter Faktor verlangt wird.',
  add: 'App einrichten',
  since: 'Eingerichtet',
  left: (codes) => `Noch ${count(codes, { one: 'Wiederherstellungscode', other: 'Wiederherstellungscodes' })}`,
  renew: 'Wiederherstellungscodes ersetzen',
  renewed: 'Ihre bisherigen Wiederherstellungscodes gelten nicht mehr.',
  remove: 'App entfernen',
  removed: 'Die App ist entfernt, und Sie sind dort abgemeldet, wo Sie sich mit ihr angemeldet haben.',
};

export const password: typeof english.password = {
  title: 'Passwort',
  note: 'Sie bleiben hier angemeldet und werden überall sonst abgemeldet. Auch die Mitteilungen auf Ihren anderen Geräten enden.',
  current: 'Bisheriges Passwort',
  currentMissing: 'Geben Sie Ihr bisheriges Passwort ein.',
  next: 'Neues Passwort',
  submit: 'Passwort ändern',
  changed: 'Ihr Passwort ist geändert.',
};

export const sessions: typeof english.sessions = {
  title: 'Wo Sie angemeldet sind',
  note: 'Melden Sie ab, was Sie nicht erkennen, und ändern Sie dann Ihr Passwort.',
  from: 'Angemeldet von',
  nowhere: 'einer unbekannten Adresse',
  signedIn: 'Angemeldet',
  lastSeen: 'zuletzt benutzt',
  end: (device) => `Abmelden: ${device}`,
  ended: 'Dort abgemeldet.',
  endOthers: 'Überall sonst abmelden',
  othersEnded: 'Sie sind nur noch hier angemeldet.',
  methods: { password: 'Passwort', link: 'Einmaliger Link', passkey: 'Passkey', oidc: 'Identitätsanbieter' },
  secondFactors: { totp: 'Authenticator-App', 'recovery-code': 'Wiederherstellungscode' },
  assurances: { none: 'nichts Eigenes bewiesen', 'single-factor': 'ein Faktor', 'multi-factor': 'zwei Faktoren' },
};
