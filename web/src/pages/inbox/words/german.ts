import { formatsIn } from '../../../../../src/model/words/formats.ts';
import type * as english from './english.ts';

const { count, number } = formatsIn('de');

const newRequests = (arrived: number): string =>
  `${number(arrived)} ${arrived === 1 ? 'neue Anfrage' : 'neue Anfragen'}`;

export const words: typeof english.words = {
  viewsLabel: 'Welche Anfragen',
  views: { mine: 'Für mich', all: 'Offen' },
  filtersLabel: 'Filter',
  moreFilters: (inForce: number) => (inForce === 0 ? 'Filter' : `Filter (${number(inForce)})`),
  search: 'Suchen',
  searchNote: 'Tool, Server, Richtlinie, Person',
  sealedNote:
    'Gesucht wird in den Namen von Tools, Servern und Richtlinien, bei Personen, die abgestimmt haben, und in Kennungen. Nachrichten, Argumente und Anfragende sind versiegelt und werden nicht durchsucht; Anfragende finden Sie mit ganzem Namen im Feld „Anfragende Person“.',
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
  takeBack: (text) => `${text}: diesen Filter entfernen`,
  asCsv: 'CSV herunterladen',
  asJson: 'JSON herunterladen',
  list: 'Anfragen',
  loading: 'Anfragen werden geladen',
  yourTurn: 'Wartet auf Sie',
  reminded: 'Erinnert',
  signal: (signal) => {
    if (signal.kind === 'new') return { payee: 'Neu: Empfang', host: 'Neuer Host', path: 'Neuer Pfad' }[signal.what];
    return signal.kind === 'amount' ? `${number(signal.times)} × üblich` : 'Tool geändert';
  },
  gone: 'Nicht mehr in dieser Liste',
  requester: 'angefragt von',
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

export const together: typeof english.together = {
  bar: 'Ausgewählte Anfragen',
  select: (name) => `${name} auswählen`,
  chosen: (chosen) => `${number(chosen)} ausgewählt`,
  go: 'Gemeinsam prüfen',
  all: 'Alle dieses Tools auswählen',
  clear: 'Auswahl aufheben',
  title: 'Gemeinsam prüfen',
  titleOf: (total, tool) => `${number(total)} × ${tool}`,
  lead: 'Lesen Sie, worin sie sich unterscheiden. Ein Klick entscheidet über alle angehakten, und für jede wird eine eigene Stimme protokolliert.',
  loading: 'Anfragen werden geladen',
  list: 'Anfragen zur Entscheidung',
  requester: 'angefragt von',
  open: 'Öffnen',
  openOf: (subject) => `Anfrage von ${subject} öffnen`,
  missing: (missing) =>
    `${count(missing, { one: 'Anfrage ließ', other: 'Anfragen ließen' })} sich nicht laden und ${missing === 1 ? 'fehlt' : 'fehlen'} hier.`,
  none: 'Keine davon lässt sich gemeinsam freigeben. Öffnen Sie sie einzeln, oder lehnen Sie sie ab.',
  included: 'Entscheiden',
  include: (row) => `Anfrage ${number(row)} mit den anderen entscheiden`,
  requesterColumn: 'Angefragt von',
  sentence: 'Frage',
  timeLeft: 'Restzeit',
  request: 'Anfrage',
  decide: 'Ihre Entscheidung',
  comment: 'Kommentar',
  commentNote: 'Gilt für alle. Zum Ablehnen nötig. Für Agenten und Anfragende sichtbar.',
  commentMissing: 'Sagen Sie, warum Sie ablehnen, damit Agenten und Anfragende wissen, was sie ändern müssen.',
  consequence:
    'Ihre Stimme zählt für jede Anfrage: Ein Aufruf läuft, sobald alle Freigaben vorliegen, und endet bei zu vielen Ablehnungen. Was sich seit dem Lesen geändert hat, wird übersprungen.',
  approve: (total) => (total === 1 ? 'Freigeben' : `Alle ${number(total)} freigeben`),
  decline: (total) => (total === 1 ? 'Ablehnen' : `Alle ${number(total)} ablehnen`),
  sending: 'Ihre Stimmen werden gesendet.',
  done: (done, total) =>
    done === total
      ? `${total === 1 ? 'Ihre Stimme wurde' : `Ihre ${number(total)} Stimmen wurden`} gezählt.`
      : `${number(done)} von ${count(total, { one: 'Stimme', other: 'Stimmen' })} gezählt.`,
  counted: 'Ihre Stimme ist gezählt. Andere müssen noch entscheiden.',
  backToInbox: 'Zurück zum Eingang',
  apart: 'Einzeln freizugeben; Ablehnen gilt auch für sie',
  reasons: {
    'high-risk': 'Das Risiko ist hoch.',
    'not-mine': 'Sie können gerade nicht darüber abstimmen.',
    'other-tool': 'Sie betrifft ein anderes Tool.',
    'other-policy': 'Für sie gilt eine andere Richtlinie.',
    form: 'Sie verlangt eine Antwort.',
    url: 'Sie öffnet eine Adresse.',
    long: 'Sie enthält lange Werte, die Sie öffnen müssen.',
  },
};

export const splitView: typeof english.splitView = {
  list: 'Liste der Anfragen',
  request: 'Geöffnete Anfrage',
  nothing: 'Keine Anfrage ist geöffnet',
  how: 'Wählen Sie links eine aus, oder drücken Sie j, dann o. In Ihrem Profil können Sie diese Ansicht abschalten.',
};

export const declineAll: typeof english.declineAll = {
  link: 'Alle ablehnen…',
  title: 'Alle passenden ablehnen',
  lead: 'Ablehnen ist bei jedem Risiko unbedenklich: Für jede Anfrage wird eine eigene Stimme protokolliert, mit demselben Grund.',
  everything: 'Alles, was auf Sie wartet, ohne Filter.',
  matching: (filters) => `Was passt: ${filters.join(' · ')}`,
  nothing: 'Nichts davon wartet auf Ihre Stimme.',
  times: (total) => `${number(total)} ×`,
  cut: (most) => `Es gibt mehr: Das hier sind die ersten ${number(most)}.`,
  reason: 'Grund',
  reasonNote: 'Nötig. Für alle betroffenen Agenten und Anfragenden sichtbar.',
  decline: (total) => (total === 1 ? 'Ablehnen' : `Alle ${number(total)} ablehnen`),
  stop: 'Anhalten',
  progress: (done, total) => `${number(done)} von ${number(total)} gesendet.`,
  done: (done, total) => `${number(done)} von ${number(total)} von Ihnen abgelehnt.`,
  left: (left) =>
    `${count(left, { one: 'Anfrage bleibt', other: 'Anfragen bleiben' })}, wie sie ${left === 1 ? 'war' : 'waren'}.`,
  refused: (refused) => `${count(refused, { one: 'Anfrage ließ', other: 'Anfragen ließen' })} sich nicht ablehnen`,
};
