import type { Action } from '#requests/asking/contract/elicitation';
import { formatAside } from './german-aside.ts';
import { formatsIn } from '#platform/text/formats';
import type * as english from './english-life.ts';

const { all, count, number } = formatsIn('de');

const requests = { one: 'Anfrage', other: 'Anfragen' };

export const list: typeof english.list = {
  title: 'Richtlinien',
  lead: 'Wer welche Tool-Aufrufe freigeben muss. Gelten mehrere Richtlinien, zählt zuerst eine Ablehnung, dann der höchste Vorrang.',
  new: 'Neue Richtlinie',
  name: 'Richtlinie',
  says: 'Was sie besagt',
  state: 'Versionen',
  changed: 'Zuletzt geändert von',
  version: (version) => `Version ${number(version)}`,
  due: (versions) => `${count(versions, { one: 'Version wartet', other: 'Versionen warten' })} auf Ihre Prüfung`,
  empty: 'Noch keine Richtlinien',
  emptyNote:
    'Bis Sie eine schreiben, entscheidet die eingebaute Richtlinie: Freigebende entscheiden über Aufrufe, die löschen oder überschreiben, und solche, die nach ihnen fragen; über den Rest entscheidet, wer anfragt.',
};

export const version: typeof english.version = {
  missing: 'Richtlinie nicht gefunden',
  missingNote: 'Es gibt sie nicht, oder ihr Name schreibt sich anders.',
  noVersion: (requested) => `Diese Richtlinie hat keine Version ${requested}`,
  newestInstead: (version) => `Das ist die neueste, Version ${number(version)}.`,
  number: (version) => `Version ${number(version)}`,
  written: 'Geschrieben von:',
  approved: 'Freigegeben von',
  rejected: 'Zurückgewiesen von',
  published: 'Veröffentlicht',
  publishedBy: 'Veröffentlicht von',
  says: 'Was sie besagt',
  text: 'Text',
  changes: (against) => `Änderungen gegenüber Version ${number(against)}`,
  history: 'Versionen',
};

export const steps: typeof english.steps = {
  draft: 'Entwurf',
  draftNote:
    'Ein Entwurf entscheidet nichts. Nach dem Einreichen lässt er sich nicht mehr ändern, und jemand anderes prüft ihn.',
  edit: 'Entwurf bearbeiten',
  submit: 'Zur Prüfung einreichen',
  submitted: 'Zur Prüfung eingereicht.',
  review: 'In Prüfung',
  reviewNote:
    'Lesen Sie, was sie besagt und was sich ändert. Nach der Freigabe kann sie veröffentlicht werden; bis dahin entscheidet sie nichts.',
  ownReviewNote:
    'Jemand anderes liest sie und gibt sie frei oder weist sie zurück. Bis sie veröffentlicht ist, entscheidet sie nichts.',
  note: 'Anmerkung',
  noteNote: 'Zum Zurückweisen nötig. Für die Autorin oder den Autor sichtbar.',
  noteMissing: 'Sagen Sie, was sich ändern muss.',
  alone:
    'Außer Ihnen kann sich niemand aus der Administration anmelden, deshalb kann sie noch niemand prüfen. Fügen Sie unter „Einstellungen › Personen“ jemanden hinzu, oder bitten Sie den Betrieb, sie zu veröffentlichen: assentry policy apply DATEI.',
  approve: 'Freigeben',
  approveAndPublish: 'Freigeben und veröffentlichen',
  reject: 'Zurückweisen',
  reviewed: 'Prüfung gespeichert.',
  approved: 'Freigegeben, noch nicht veröffentlicht',
  approvedNote:
    'Nach der Veröffentlichung gilt sie für neue Anfragen. Offene Anfragen behalten die Version, mit der sie begonnen haben.',
  publish: 'Veröffentlichen',
  published: 'Veröffentlicht. Sie gilt ab jetzt.',
  older: 'Diese Version entscheidet nicht',
  olderNote: 'Um zu ihr zurückzukehren, stellen Sie sie als Entwurf wieder her; er wird wie jede Änderung geprüft.',
  restore: 'Als Entwurf wiederherstellen',
  restored: 'Als neuer Entwurf wiederhergestellt.',
  change: 'Neue Version schreiben',
  retire: 'Außer Kraft setzen',
  shadow: 'Im Schattenbetrieb testen',
  shadowed: 'Im Schattenbetrieb: Sie sieht echte Anfragen, entscheidet aber keine.',
  unshadow: 'Schattenbetrieb beenden',
  unshadowed: 'Schattenbetrieb beendet.',
};

export const shadow: typeof english.shadow = {
  title: 'Schattenbetrieb: was sie getan hätte',
  total: (total, different) =>
    total === 0
      ? 'Seit Beginn des Schattenbetriebs kam keine Anfrage.'
      : `Sie hätte über ${number(different)} von ${count(total, requests)} anders entschieden.`,
  request: 'Anfrage',
  live: 'Was geschah',
  shadow: 'Im Schattenbetrieb',
};

export const draft: typeof english.draft = {
  newTitle: 'Neue Richtlinie',
  examples: 'Mit einem Beispiel beginnen',
  editTitle: (name, version) => `${name} bearbeiten, Entwurf ${number(version)}`,
  changeTitle: (name) => `Neue Version von ${name}`,
  retireTitle: (name) => `${name} außer Kraft setzen`,
  title: 'Speichern und einreichen',
  space: 'Gehört zu',
  everywhere: 'Keinem Bereich: alle Server',
  note: 'Was sich ändert (optional)',
  noteNote: 'Bei der Prüfung und im Verlauf sichtbar.',
  consequence:
    'Ein Entwurf entscheidet nichts. Nach dem Einreichen prüft ihn eine zweite Person aus der Administration; dann kann er veröffentlicht werden.',
  save: 'Entwurf speichern',
  submit: 'Speichern und zur Prüfung einreichen',
  saved: 'Entwurf gespeichert.',
  faulty: 'Beheben Sie zuerst die Fehler.',
  unchecked: 'Der Text wird geprüft.',
};

const endings: Record<Action, string> = { accept: 'Freigegeben', decline: 'Abgelehnt', cancel: 'Abgebrochen' };

export const simulator: typeof english.simulator = {
  title: 'Mit echten Anfragen simulieren',
  lead: 'Wie dieser Text zusammen mit den veröffentlichten Richtlinien über die letzten Anfragen entscheiden würde. Geändert wird dabei nichts.',
  last: 'Wie viele der letzten Anfragen',
  tool: 'Nur dieses Tool (optional)',
  from: 'Von (optional)',
  until: 'Bis (optional)',
  run: 'Simulieren',
  notReady: 'Beheben Sie die Fehler, um zu simulieren.',
  outdated: 'Der Text hat sich geändert. Simulieren Sie noch einmal.',
  summary: ({ requests: total, different, decided }) => {
    if (total === 0) return 'Es gibt noch keine Anfragen zum Testen.';
    const change = different === 0 ? 'nichts würde sich ändern' : `${number(different)} gingen anders aus`;
    return `Entscheidet ${number(decided)} der letzten ${count(total, requests)}; ${change}.`;
  },
  skipped: (skipped) =>
    `${count(skipped, { one: 'Anfrage war', other: 'Anfragen waren' })} nicht lesbar und ${skipped === 1 ? 'fehlt' : 'fehlen'} hier.`,
  withheld: (withheld) =>
    `${count(withheld, { one: 'Anfrage fehlt', other: 'Anfragen fehlen' })} hier, weil Sie sie nicht lesen dürfen.`,
  by: (policy, rule) => (rule === null ? policy : `Regel ${number(rule)} von ${policy}`),
  table: 'Was sich ändern würde',
  showAll: (total) => `Alle ${number(total)} zeigen`,
  onlyDifferent: 'Nur Änderungen zeigen',
  request: 'Anfrage',
  now: 'Jetzt',
  withDraft: 'Mit diesem Text',
  ended: 'Was Personen taten',
  alike: (total) => (total === 1 ? '' : `${count(total, requests)}, zuletzt`),
  endedSo: (ended, total) =>
    `${ended === null ? 'Noch offen' : endings[ended]}${total === 1 ? '' : `: ${number(total)}`}`,
  requires: (stages) =>
    stages
      .map(({ name, approvers }) => `${name} (${approvers === null ? 'alle' : `${number(approvers)} Personen`})`)
      .join(', dann '),
  outcomes: {
    allow: 'Läuft ohne Freigabe',
    deny: 'Abgelehnt',
    requester: 'Wer anfragt, antwortet',
    unsatisfiable: 'Niemand könnte entscheiden',
  },
};

export const callTrial: typeof english.callTrial = {
  title: 'Einen Aufruf ausprobieren',
  lead: 'Fügen Sie einen Aufruf ein: was jetzt mit ihm geschieht, was mit diesem Text geschähe, warum, und wer gefragt würde. Nichts wird gespeichert, und niemand wird gefragt.',
  text: 'Der Aufruf als JSON',
  textNote: 'Ein tools/call von MCP oder nur seine Argumente.',
  server: 'MCP-Server',
  tool: 'Name des Tools',
  hint: 'Das Tool gibt an, dass es',
  hints: {
    none: 'nichts angibt',
    reads: 'nur liest',
    adds: 'ändert, ohne zu zerstören',
    destroys: 'Daten zerstören kann',
  },
  requester: 'Angefragt von (optional)',
  run: 'Diesen Aufruf ausprobieren',
  notReady: 'Beheben Sie die Fehler, um einen Aufruf auszuprobieren.',
  outdated: 'Der Text hat sich geändert. Probieren Sie den Aufruf noch einmal aus.',
  same: 'Über diesen Aufruf würde wie jetzt entschieden.',
  differs: 'Über diesen Aufruf würde anders entschieden.',
  asks: (stage, people) =>
    people === null ? `${stage} fragt alle, die abstimmen dürfen.` : `${stage} fragt ${all(people)}.`,
  aside: formatAside,
  faults: {
    json: 'Fügen Sie JSON ein; das ist keines.',
    object: 'Fügen Sie ein JSON-Objekt ein: einen tools/call oder seine Argumente.',
    message: 'Fügen Sie einen tools/call ein; das ist eine andere Nachricht.',
    server: 'Geben Sie den Namen des Servers ein.',
    tool: 'Geben Sie den Namen des Tools ein.',
  },
};
