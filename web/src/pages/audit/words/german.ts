import { formatsIn } from '#protocol/model/text/formats';
import type * as english from './english.ts';

const { all, count, number } = formatsIn('de');

export const words: typeof english.words = {
  title: 'Prüfung',
  lead: 'Die üblichen Fragen einer Prüfung. Jede Antwort kommt aus dem Protokoll, und auch das Fragen wird protokolliert.',
  questions: 'Fragen',
  reviewersOnly: 'Diese Fragen können nur Administration und Prüfung stellen.',
  back: 'Alle Fragen',
  missing: 'Frage nicht gefunden',
  missingNote: 'Die Adresse ist vielleicht unvollständig.',
  period: 'Tage gelten in UTC.',
  from: 'Von',
  to: 'Bis',
  at: 'Zeitpunkt (UTC)',
  person: 'Person',
  anyone: 'Alle',
  choosePerson: 'Person wählen…',
  tool: 'Tool',
  client: 'Agent (Client)',
  requester: 'Anfragende Person',
  requesterNote: 'Ganz, wie der Server sie nennt, etwa ada@example.com, oder was in SQL für sie steht.',
  request: 'Anfrage',
  wrongName: 'Verwenden Sie Buchstaben von A bis Z, Ziffern, Punkte, Striche und Unterstriche.',
  wrongRequest: 'Geben Sie die Kennung einer Anfrage an; sie beginnt mit eli_.',
  hours: (zone) => `Uhrzeit (${zone})`,
  hourFrom: 'Ab Stunde',
  hourTo: 'Bis Stunde',
  anyHour: 'Alle',
  server: 'Server',
  everyServer: 'Alle Server',
  policy: 'Richtlinie',
  everyone: 'Alle',
  show: 'Anzeigen',
  empty: 'Nichts gefunden',
  emptyNote:
    'In diesem Zeitraum gibt es keinen solchen Eintrag. Wählen Sie einen anderen, oder grenzen Sie weniger ein.',
  noAnswer: 'Keine Antwort: Ein Filter nennt etwas, das es nicht gibt',
  neverThere: (filter, value) =>
    ({
      tool: `Wo Sie lesen dürfen, heißt kein Tool „${value}“.`,
      server: `Wo Sie lesen dürfen, heißt kein Server „${value}“.`,
      policy: `Wo Sie lesen dürfen, heißt keine Richtlinie „${value}“.`,
      client: `Wo Sie lesen dürfen, nennt sich kein Agent „${value}“.`,
      requester: `Wo Sie lesen dürfen, hat niemand mit dem Namen „${value}“ angefragt. Geben Sie ihn ganz an, wie der Server ihn nennt.`,
      person: 'Diese Person gibt es nicht.',
      request: `Wo Sie lesen dürfen, gibt es die Anfrage ${value} nicht.`,
      digest: 'Wo Sie lesen dürfen, hatte keine Anfrage diesen Digest.',
      from: 'Dieser Zeitraum kommt erst noch.',
      to: 'Das Protokoll beginnt nach diesem Zeitraum: Es sagt nichts über ihn.',
    })[filter] ?? value,
  good: 'Keine – so soll es sein',
  goodNote:
    'In diesem Zeitraum hat niemand über eine eigene Anfrage abgestimmt, oder über die Anfrage eines selbst angelegten Schlüssels.',
  ownRequest: 'Über die eigene Anfrage abgestimmt',
  ownKey: 'Über die Anfrage des eigenen Schlüssels abgestimmt',
  counted: (title, rows) => `${title}: ${number(rows)}`,
  found: (rows) => count(rows, { one: 'Ergebnis', other: 'Ergebnisse' }),
  shown: (shown, rows) => `Die ersten ${number(shown)} von ${number(rows)}. Die Dateien enthalten alle.`,
  cut: (rows) => `Es gibt mehr als ${number(rows)}. Wählen Sie für den Rest einen kürzeren Zeitraum.`,
  overTime: 'Ergebnisse im Lauf der Zeit',
  most: (rows) => `Bis zu ${count(rows, { one: 'Ergebnis', other: 'Ergebnissen' })}`,
  results: 'Ergebnisse',
  asCsv: 'CSV herunterladen',
  asJson: 'JSON herunterladen',
  yes: 'Ja',
  no: 'Nein',
  seconds: (seconds) => `${number(seconds)} s`,
};

export const proof: typeof english.proof = {
  none: 'Die Knoten haben das Protokoll seit ihrem Start noch nicht überprüft. Das geschieht innerhalb weniger Minuten.',
  upTo: (entries, when) => `Geprüft bis Eintrag ${number(entries)}, ${when}`,
  found: (when) => `Bemerkt ${when}`,
  changed: 'Das Protokoll wurde verändert',
  changedNote:
    'Das Protokoll, oder eine Zeile, die daraus folgt, ist nicht so, wie es geschrieben wurde. Bitten Sie den Betrieb, „assentry audit verify“ auszuführen.',
  witnessed: (name, entries, when) => `${name} hat es bis Eintrag ${number(entries)} gesehen, ${when}`,
  unseen: (name) => `${name} hat es noch nicht gesehen`,
  disagrees: (names) => `Ein Zeuge widerspricht: ${all(names)}`,
  disagreesNote:
    'Er hat ein längeres Protokoll gesehen oder eine andere Vergangenheit. Die Datenbank wurde auf einen älteren Stand zurückgesetzt oder ersetzt. Fragen Sie den Betrieb, wer das getan hat.',
};

export const receipt: typeof english.receipt = {
  title: 'Einen Beleg überprüfen',
  note: 'Legen Sie die Datei hier ab, oder wählen Sie sie. Sie wird mit den Schlüsseln dieser Installation verglichen und nicht aufbewahrt.',
  choose: 'Datei wählen',
  verdicts: {
    genuine: 'Dieser Beleg ist echt',
    altered: 'Dieser Beleg wurde verändert: Vertrauen Sie ihm nicht',
    'not-ours': 'Dieser Beleg ist nicht von dieser Installation',
    'unknown-key': 'Dieser Beleg lässt sich hier nicht überprüfen',
    'no-receipt': 'Diese Datei ist kein Beleg, oder sie ist beschädigt',
  },
  notes: {
    altered: 'Er nennt diese Installation, ist aber nicht so, wie er ausgestellt wurde.',
    'not-ours':
      'Lassen Sie sich den Schlüssel der anderen Installation geben, und überprüfen Sie ihn mit „assentry receipt verify“.',
    'unknown-key':
      'Er nennt diese Installation, aber keiner der heutigen Schlüssel hat ihn unterschrieben. Vielleicht ein früherer: Bitten Sie den Betrieb, ihn mit „assentry receipt verify --key“ zu überprüfen.',
    'no-receipt': 'Ein Beleg ist eine Textdatei, deren Name mit .tlog-proof endet.',
  },
  from: (origin) => `Er nennt das Protokoll ${origin}.`,
  tooLong: 'Die Datei ist zu lang für einen Beleg.',
  outcome: 'Was geschah',
  by: 'Durch',
  when: 'Wann',
  policy: 'Richtlinie',
  tool: 'Tool',
  request: 'Anfrage',
  digest: 'Prüfsumme der Anfrage',
  place: 'Im Protokoll',
  placeOf: (place, size) => `Eintrag ${number(place)} der ersten ${number(size)}`,
};

export const questions: typeof english.questions = {
  approvals: {
    title: 'Freigaben eines Tools in einem Zeitraum',
    note: 'Was laufen durfte, wer es erlaubt hat und nach welcher Richtlinie.',
  },
  requests: {
    title: 'Was wann angefragt wurde, nach Agent und Person',
    note: 'Jede Anfrage: welcher Agent, für wen, wann, und wie sie endete. Aufrufe, die eine Richtlinie ungefragt passieren ließ, stehen im Protokoll.',
  },
  'own-approvals': {
    title: 'Hat jemand über die eigene Anfrage abgestimmt?',
    note: 'Stimmen von Personen, die selbst angefragt haben oder haben könnten, oder deren Schlüssel angefragt hat. Es darf keine geben.',
  },
  automatic: {
    title: 'Automatische Freigaben',
    note: 'Was eine Richtlinie ohne eine Person erlaubt hat, und nach welcher Dauerfreigabe.',
  },
  overrides: {
    title: 'Notfallfreigaben und ihre Überprüfung',
    note: 'Was an der Richtlinie vorbei freigegeben wurde, und was die Überprüfung ergab.',
  },
  edited: {
    title: 'Vor der Freigabe geändert',
    note: 'Anfragen, deren Argumente eine Person vor der Freigabe geändert hat.',
  },
  hasty: {
    title: 'In weniger als fünf Sekunden entschieden',
    note: 'Stimmen, die weniger als fünf Sekunden nach dem ersten Öffnen der Anfrage kamen. Stimmen ohne Öffnen, wie im Chat, sind nicht dabei.',
  },
  'could-approve': {
    title: 'Wer zu einem Zeitpunkt freigeben konnte',
    note: 'Alle, die am Ende dieser Minute abstimmen konnten, mit Rolle und Gruppen.',
  },
  readers: { title: 'Wer Inhalte gelesen hat', note: 'Wer geöffnet oder exportiert hat, was angefragt war.' },
  'policy-changes': {
    title: 'Änderungen von Richtlinien und wer sie freigegeben hat',
    note: 'Wer sie verfasst und geprüft hat, und welche Zeilen sich geändert haben. Ein Schritt ohne Person ist einer des Betriebs.',
  },
  access: {
    title: 'Zugriffe einer Person',
    note: 'Was eine Person gelesen, aufgelistet oder exportiert hat, und was ihr verweigert wurde.',
  },
};

export const columns: typeof english.columns = {
  request: 'Anfrage',
  client: 'Agent (Client)',
  requester: 'Anfragende Person',
  outcome: 'Ausgang',
  lapse: 'Freigabe',
  server: 'Server',
  tool: 'Tool',
  policy: 'Richtlinie',
  policy_version: 'Version',
  version: 'Version',
  decided_by: 'Entschieden durch',
  person: 'Person',
  asked_at: 'Angefragt',
  decided_at: 'Entschieden',
  stands_in_for: 'Anstelle von',
  choice: 'Stimme',
  voted_at: 'Abgestimmt',
  grant_id: 'Dauerfreigabe',
  given_by: 'Erteilt von',
  approvers: 'Freigegeben von',
  by_key_maker: 'Eigener Schlüssel',
  approved_at: 'Freigegeben',
  review_due_at: 'Überprüfung bis',
  reviewer: 'Geprüft von',
  reviewed_at: 'Überprüft',
  justified: 'Gerechtfertigt',
  revision: 'Fassung',
  seen_at: 'Zuerst geöffnet',
  considered: 'Dauer',
  role: 'Rolle',
  since: 'Seit',
  groups: 'Gruppen',
  at: 'Wann',
  access: 'Zugriff',
  what: 'Was',
  times: 'Anzahl',
  change: 'Änderung',
  author: 'Verfasst von',
  lines_added: 'Neue Zeilen',
  lines_removed: 'Entfernte Zeilen',
};

export const codes: typeof english.codes = {
  decided_by: {
    user: 'Eine Person',
    policy: 'Richtlinie',
    requester: 'Die anfragende Person',
    service: 'Externer Dienst',
  },
  outcome: {
    open: 'Offen',
    accepted: 'Freigegeben',
    declined: 'Abgelehnt',
    cancelled: 'Abgebrochen',
    expired: 'Abgelaufen',
  },
  lapse: {
    lapsed: 'Verfallen, bevor es lief',
    revoked: 'Widerrufen, bevor es lief',
  },
  choice: {
    accept: 'Freigeben',
    decline: 'Ablehnen',
  },
  role: {
    admin: 'Administration',
    approver: 'Freigabe',
  },
  access: {
    read: 'Geöffnet',
    looked: 'Grund zum Lesen genannt',
    listed: 'Aufgelistet',
    exported: 'Exportiert',
    refused: 'Verweigert',
    'sign-in-failed': 'Anmeldung gescheitert',
  },
  what: {
    request: 'Anfrage',
    requests: 'Anfragen',
    receipt: 'Beleg',
    log: 'Protokoll',
    report: 'Frage der Prüfung',
  },
  change: {
    drafted: 'Verfasst',
    submitted: 'Eingereicht',
    approved: 'Freigegeben',
    rejected: 'Abgelehnt',
    published: 'Veröffentlicht',
    shadowed: 'Im Schattenbetrieb',
  },
};

const by = (people: string[]): string => (people.length === 0 ? 'dem Betrieb' : all(people));

export const holds: typeof english.holds = {
  title: 'Aufbewahrungspflichten',
  link: 'Aufbewahrungspflichten',
  note: 'Was weder Menschen noch Richtlinien löschen dürfen.',
  lead: 'Was unter einer Aufbewahrungspflicht steht, wird nicht gelöscht, weder von Menschen noch nach Ablauf der Zeit einer Richtlinie. Zwei Personen der Administration setzen sie, und zwei heben sie auf.',
  list: 'Aufbewahrungspflichten',
  empty: 'Nichts steht unter Aufbewahrungspflicht',
  emptyNote: 'Hier erscheint, was zwei Personen der Administration festhalten: unten oder auf der Seite einer Anfrage.',
  what: 'Was',
  scope: ({ scope, request, server }) =>
    ({
      request: `Anfrage ${request}`,
      requester: `Alles, was die Person hinter ${request} angefragt hat`,
      server: `Alles von ${server}`,
      everything: 'Alles',
    })[scope],
  reason: 'Vorgang',
  reasonNote: 'Er wird lesbar gespeichert und nie gelöscht. Nennen Sie den Vorgang und keine Person.',
  placed: 'Gesetzt',
  placedBy: (when, people) => `${when}, von ${by(people)}`,
  state: 'Stand',
  released: (when, people) => `Aufgehoben am ${when} von ${by(people)}`,
  release: 'Aufheben',
  form: 'Aufbewahrungspflicht setzen',
  server: 'Server',
  serverNote: 'Sein Name; leer für alles.',
  hold: 'Aufbewahren',
  saved: 'Aufbewahrt.',
};
