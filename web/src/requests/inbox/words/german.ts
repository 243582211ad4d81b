import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number } = formatsIn('de');

const newRequests = (arrived: number): string =>
  `${number(arrived)} ${arrived === 1 ? 'neue Anfrage' : 'neue Anfragen'}`;

export const words: typeof english.words = {
  viewsLabel: 'Welche Anfragen',
  views: { mine: 'Für mich', all: 'Offen' },
  filtersLabel: 'Filter',
  moreFilters: (inForce: number) => (inForce === 0 ? 'Filter' : `Filter (${number(inForce)})`),
  searching: 'Suche läuft …',
  search: 'Suchen',
  searchNote: 'Tool, Server, Richtlinie, Person',
  sealedNote:
    'Gesucht wird nach Tools, Servern, Richtlinien, Abstimmenden und Kennungen. Alles andere ist versiegelt; Anfragende finden Sie mit ganzem Namen im Feld „Anfragende Person“.',
  policy: 'Richtlinie',
  anyPolicy: 'Alle Richtlinien',
  group: 'Gruppe',
  anyGroup: 'Alle Gruppen',
  requesterLabel: 'Anfragende Person',
  requesterNote:
    'Der ganze Name der anfragenden Person, wie Anfragen ihn zeigen. Gefunden werden nur Anfragen, die Sie lesen dürfen.',
  server: 'Server',
  tool: 'Tool',
  status: 'Ergebnis',
  order: 'Sortieren nach',
  risk: 'Risiko',
  anyRisk: 'Jedes Risiko',
  from: 'Beendet ab',
  fromShort: 'ab',
  until: 'Beendet bis',
  untilShort: 'bis',
  anyServer: 'Alle Server',
  anyTool: 'Alle Tools',
  anyStatus: 'Alle Ergebnisse',
  orders: { deadline: 'Frist', risk: 'Risiko', newest: 'Neueste' },
  clear: 'Filter löschen',
  inForce: 'Aktive Filter',
  filter: (name, value) => `${name}: ${value}`,
  takeBack: (text) => `${text}: diesen Filter entfernen`,
  asCsv: 'CSV herunterladen',
  asJson: 'JSON herunterladen',
  list: 'Anfragen',
  loading: 'Anfragen werden geladen',
  yourTurn: 'Wartet auf Sie',
  reminded: 'Erinnert',
  signal: (signal) => {
    if (signal.kind === 'new') return { payee: 'Neu: Empfang', host: 'Neuer Host', path: 'Neuer Pfad' }[signal.what];
    if (signal.kind === 'reaches') return 'Server geändert';
    if (signal.kind === 'unchecked') return 'Nicht geprüft';
    return signal.kind === 'amount' ? `${number(signal.times)} × üblich` : 'Tool geändert';
  },
  gone: 'Nicht mehr in dieser Liste',
  requester: 'angefragt von',
  runs: 'Ausgeführt wird',
  unread: 'Inhalt gegen Angabe eines Grundes',
  votedBy: (names) => `Abgestimmt: ${names.join(', ')}`,
  within: (duration) => `in ${duration}`,
  erased: 'Ihr Inhalt wurde gelöscht.',
  unreadable: 'Diese Anfrage ist nicht lesbar. Öffnen Sie sie für den Grund.',
  start: 'Erste Schritte: Server anbinden und eine Testanfrage senden',
  more: 'Mehr laden',
  live: 'Live',
  polling: 'Verbindung wird aufgebaut, Aktualisierung alle 15 Sekunden',
  arrived: newRequests,
  reminders: (reminders) => count(reminders, { one: 'Erinnerung', other: 'Erinnerungen' }),
  show: (arrived) => `${newRequests(arrived)} zeigen`,
  select: (name) => `${name} auswählen`,
  declineAll: 'Alle ablehnen…',
};

export const emptyStates: typeof english.emptyStates = {
  mine: {
    title: 'Alles erledigt',
    note: 'Wenn ein Agent ein Tool aufruft, das Ihre Freigabe braucht, erscheint die Anfrage hier.',
  },
  all: {
    title: 'Keine offenen Anfragen',
    note: 'Hier erscheinen alle offenen Anfragen, auch die, über die andere entscheiden.',
  },
  done: {
    title: 'Noch kein Verlauf',
    note: 'Hier erscheinen Anfragen, sobald sie entschieden, abgebrochen oder abgelaufen sind.',
  },
  filtered: { title: 'Keine passenden Anfragen', note: 'Löschen Sie die Filter, um die ganze Liste zu sehen.' },
};

export const splitView: typeof english.splitView = {
  list: 'Liste der Anfragen',
  request: 'Geöffnete Anfrage',
  nothing: 'Keine Anfrage ist geöffnet',
  how: 'Wählen Sie links eine aus, oder drücken Sie j, dann o. In Ihrem Profil können Sie diese Ansicht abschalten.',
};
