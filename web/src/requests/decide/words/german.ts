import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { all, any, count, duration, number } = formatsIn('de');

const approvals = { one: 'Freigabe', other: 'Freigaben' };

export const words: typeof english.words = {
  loading: 'Anfrage wird geladen',
  tab: (tool) => `${tool} · Anfrage`,
  missing: 'Anfrage nicht gefunden',
  missingNote: 'Es gibt sie nicht, oder Sie haben keinen Zugriff.',
  stale:
    'Diese Seite konnte nicht aktualisiert werden und ist vielleicht veraltet. Ihre Entscheidung wird trotzdem geprüft, wenn sie ankommt.',
  closed: 'Abgeschlossen',
  opened: 'Angefragt',
  stopTool: 'Dieses Tool stoppen…',
  unreadable: 'Diese Anfrage ist nicht lesbar',
  withdrawUnreadable: 'Diese Anfrage zurückziehen',
  withdrawNote: 'Sie endet ohne Entscheidung, und der Agent erfährt es. Nichts wird ausgeführt.',
  withdrawn: 'Die Anfrage ist zurückgezogen.',
};

export const what: typeof english.what = {
  title: 'Was ausgeführt wird',
  on: 'auf',
  reaches: 'Der Server führt aus',
  arguments: 'Argumente, genau wie sie verwendet werden',
  none: 'Das Tool wird ohne Argumente aufgerufen.',
  raw: 'Diese Argumente lassen sich nicht als Tabelle zeigen. Dies ist der gespeicherte Text, vollständig und unverändert.',
  members: (kind, members) =>
    count(members, kind === 'list' ? { one: 'Eintrag', other: 'Einträge' } : { one: 'Feld', other: 'Felder' }),
  emptyText: 'leerer Text',
  open: (size) => `Alles zeigen: ${size}`,
  close: 'Weniger zeigen',
  end: (size) => `Ende des Werts: ${size}`,
  openMembers: (values) => `Alle ${count(values, { one: 'Wert', other: 'Werte' })} zeigen`,
  endMembers: (values) => `Ende: ${count(values, { one: 'Wert', other: 'Werte' })}`,
  numberHost: (address) => `Der Host ist als Zahl geschrieben. Gemeint ist ${address}.`,
  warnings: {
    ambiguous: 'Zwei Programme können diese Adresse verschieden lesen: Zu welchem Host sie führt, ist nicht sicher.',
    punycode: 'Der Host ist in Punycode (xn--) geschrieben und ahmt vielleicht einen anderen Namen nach.',
    'user-info': 'Der Teil vor dem @ ist ein Name, nicht der Host.',
  },
};

export const url: typeof english.url = {
  title: 'Die Adresse, die geöffnet wird',
  none: 'Dieser Text ist keine Adresse, die ein Browser öffnen kann.',
  warnings: {
    ambiguous: 'Zwei Programme können diese Adresse verschieden lesen: Zu welchem Host sie führt, ist nicht sicher.',
    punycode: 'Der Host ist in Punycode geschrieben (xn--) und ahmt vielleicht einen anderen Namen nach.',
    'not-https': 'Kein https: Was Sie dort eingeben, kann unterwegs gelesen und verändert werden.',
    'user-info': 'Der Teil vor dem @ ist ein Benutzername, nicht der Host.',
    'address-host': 'Der Host ist eine bloße Netzwerkadresse, kein Name.',
    port: 'Sie benutzt einen ungewöhnlichen Port.',
  },
};

export const who: typeof english.who = {
  title: 'Angefragt von',
  requester: 'Anfragende Person',
  client: 'MCP-Client',
  clientNote: 'eigene Angabe',
  noClient: 'Nicht angegeben',
  server: 'MCP-Server',
  tool: 'Beschreibung des Tools',
  hints: 'Hinweise des Tools',
  audience: 'Wer entscheidet',
  audiences: { requester: 'die anfragende Person, am MCP-Client', approvers: 'Freigebende' },
};

export const nameHints: typeof english.nameHints = (annotations) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [
    readOnlyHint === undefined ? null : readOnlyHint ? 'Der Server sagt, dass es nur liest' : 'Ändert etwas',
    destructiveHint === undefined
      ? null
      : destructiveHint
        ? 'Löscht oder überschreibt'
        : 'Löscht und überschreibt nichts',
    idempotentHint === undefined ? null : idempotentHint ? 'Wiederholbar' : 'Nicht wiederholbar',
    openWorldHint === undefined ? null : openWorldHint ? 'Wirkt nach außen' : 'Wirkt nicht nach außen',
  ];
  return hints.filter((hint) => hint !== null).join(' · ');
};

export const why: typeof english.why = {
  title: 'Warum',
  question: (server) => `Anfrage in den Worten von ${server}`,
  agent: 'Grund des Agenten (ungeprüft)',
  none: 'Der Agent hat keinen Grund angegeben.',
};

export const policy: typeof english.policy = {
  title: 'Freigaberegel',
  name: 'Richtlinie',
  grant: 'Durch eine Dauerfreigabe erlaubt.',
  breakGlass: 'Per Notfallfreigabe an der Richtlinie vorbei freigegeben.',
};

export const explanation: typeof english.explanation = {
  title: (policies) =>
    policies === 1 ? 'Warum diese Richtlinie' : `Warum diese Richtlinie, von ${number(policies)} passenden`,
  passedOver: (policies) => `Die Bedingungen von ${number(policies)} weiteren sind nicht erfüllt:`,
  rule: (place) => `Regel ${number(place)} von`,
  decided: 'hat entschieden',
  why: {
    default: 'Keine davon hat entschieden, deshalb gilt die eingebaute Regel.',
    together: 'Eine Bedingung ließ sich nicht auswerten, deshalb gilt zusammen, was diese verlangen.',
    denial: 'Sie lehnt ab, und eine Ablehnung geht allem vor.',
    failed: 'Ihre Bedingung ließ sich nicht auswerten, deshalb gilt sie zur Sicherheit.',
    only: 'Nur ihre Bedingungen sind erfüllt.',
    first:
      'Von den Richtlinien, deren Bedingungen erfüllt sind, steht sie vorn: Der höchste Vorrang zählt; bei gleichem geht vor, was eine Freigabe verlangt, dann entscheidet der Name.',
    next: 'Eine Richtlinie davor würde erlauben, darf es bei dieser Anfrage aber nicht, deshalb hat die nächste entschieden.',
  },
  results: {
    applied: 'gilt, aber eine andere hat entschieden',
    'not-applied': 'ihre Bedingung ist nicht erfüllt',
    failed: 'ihre Bedingung ließ sich nicht auswerten',
  },
  holds: { true: 'erfüllt', false: 'nicht erfüllt', unknown: 'unbekannt' },
};

export const path: typeof english.path = {
  label: 'Fortschritt',
  states: {
    done: 'Erledigt',
    current: 'Läuft',
    next: 'Als Nächstes',
    ended: 'Hier beendet',
    skipped: 'Übersprungen',
  },
  phases: {
    'open.asking.requester.waiting': 'Wartet auf die anfragende Person',
    'open.asking.requester.visited': 'Die anfragende Person hat die Seite geöffnet',
    'open.asking.approvers.scheduled': 'Start',
  },
  start: 'frühestens',
  missed: (names) => `vor ${all(names)}`,
  orEnds: (endings) => `oder ${any(endings.map((ending) => ending.toLowerCase()))}`,
  added: 'von einer freigebenden Person ergänzt',
  complete: { all: 'Jede Gruppe muss freigeben.', any: 'Eine Gruppe genügt.' },
  have: (have, need) => `${number(have)} von ${count(need, approvals)}`,
  refusals: (refusals, deny) =>
    `${count(refusals, { one: 'Ablehnung', other: 'Ablehnungen' })}, ${number(deny)} ${deny === 1 ? 'beendet' : 'beenden'} sie`,
  meanings: {
    approved: 'als Freigabe',
    reviewed: 'als geprüft',
    responsible: 'als verantwortlich',
    witnessed: 'als Zeuge',
  },
  anyone: 'Wartet auf eine stimmberechtigte Person',
  noOneLeft: 'Zurzeit kann niemand abstimmen.',
  tooFew: (names, needed) => `Zurzeit kann nur ${all(names)} abstimmen; nötig: ${count(needed, approvals)}.`,
  waitingFor: (names, more) => `Wartet auf ${any(more > 0 ? [...names, `${number(more)} weitere`] : names)}`,
};

export const others: typeof english.others = {
  title: 'Stimmen',
  none: 'Noch keine.',
  noneAtAll: 'Niemand hat abgestimmt.',
  accept: 'hat freigegeben',
  decline: 'hat abgelehnt',
  standsIn: (by, absent) => `${by} für ${absent}`,
  voided: 'ungültig: Die Anfrage wurde danach geändert',
  takenBack: 'zurückgezogen',
  allowed: (milliseconds) => `und dasselbe für ${duration(milliseconds)}, wenn alle Freigebenden es erlauben`,
};

export const changed: typeof english.changed = {
  title: 'Diese Anfrage hat sich geändert, während Sie gelesen haben. Nichts wurde entschieden.',
  parts: {
    arguments: 'die Argumente',
    message: 'die Frage',
    reason: 'der Grund des Agenten',
    schema: 'das Formular',
    url: 'die Adresse',
    tool: 'das Tool',
    requester: 'die anfragende Person',
    server: 'der Server',
    policy: 'die Richtlinie',
  },
  changes: (parts) => `Geändert: ${all(parts)}. `,
  note: 'Die Seite zeigt die neue Fassung; Ihre Eingaben sind noch da.',
  confirm: 'Ich habe die neue Fassung gelesen',
};

export const result: typeof english.result = {
  approved: 'Freigegeben. Der Aufruf kann laufen.',
  started: (time) => `Freigegeben. Gestartet um ${time}.`,
  approvalCounted: 'Ihre Freigabe ist gezählt.',
  settling: 'Freigegeben. Der Aufruf läuft gleich, außer Sie nehmen die Freigabe zurück.',
  scheduled: 'Ihre Freigabe ist gezählt. Der Aufruf wartet auf seine Startzeit.',
  counted: ({ need, have, stage, stages }) => {
    const after = stage < stages ? ' in dieser Stufe, dann auf die nächste' : '';
    return `Ihre Freigabe ist gezählt. Der Aufruf wartet auf ${count(need - have, { one: 'weitere Person', other: 'weitere Personen' })}${after}.`;
  },
  declineCounted: 'Ihre Gegenstimme ist gezählt.',
  declined: 'Abgelehnt. Das Tool läuft nicht.',
  cancelled: 'Anfrage zurückgezogen. Das Tool läuft nicht.',
  title: 'Ergebnis',
  next: 'Nächste Anfrage',
  toInbox: 'Sonst wartet nichts auf Sie. Zurück zum Eingang',
  queueDone: 'In dieser Auswahl wartet sonst nichts. Zurück zum Eingang',
  looking: 'Nächste Anfrage wird gesucht',
  notCounted: (why) => `${why} Ihre Entscheidung wurde nicht gezählt.`,
  alreadyVoted: 'Sie haben schon abgestimmt. Ihre erste Stimme zählt.',
  unsure:
    'Assentry war nicht erreichbar, daher ist Ihre Entscheidung vielleicht nicht angekommen. Diese Seite prüft das; Ihre Eingaben sind noch da.',
  missing: 'Ihre Entscheidung ist nicht angekommen und hat nichts bewirkt. Ihre Eingaben sind noch da.',
  signedOut: 'Ihre Sitzung endete, bevor dies ankam. Nichts wurde entschieden; Ihre Eingaben sind noch da.',
  answer: 'Antwort',
  receipt: 'Beleg herunterladen',
  receiptMeaning: 'Signierter Nachweis dieses Ergebnisses, offline prüfbar.',
  by: (names) => `von ${all(names)}`,
};

export const withoutContent: typeof english.withoutContent = {
  title: 'Was das Protokoll sagt',
  tool: 'Tool',
  policy: 'Richtlinie',
  asked: 'Angefragt',
  ended: 'Beendet',
  after: (when, duration) => `${when}, nach ${duration}`,
  override: 'Notfallfreigabe',
  votes: 'Stimmen',
  noVotes: 'Niemand hat abgestimmt.',
  vote: ({ name, action, when, after, isVoid }) =>
    `${name} hat ${action === 'accept' ? 'freigegeben' : 'abgelehnt'}, ${when}, nach ${after}${isVoid ? '; zählt nicht mehr' : ''}`,
  timeline: 'Verlauf und Nachweise',
};

export const look: typeof english.look = {
  withoutContent: 'Eine Anfrage, deren Inhalt Sie nicht gelesen haben',
  title: 'Sagen Sie, warum Sie diese Anfrage lesen müssen',
  note: 'Sie entscheiden nicht darüber und sind nicht für den Server verantwortlich. Mit einer Begründung können Sie sie eine Stunde lang lesen; das Protokoll hält das fest.',
  reason: 'Ihre Begründung, mindestens zehn Zeichen',
  submit: 'Anfrage zeigen',
};
