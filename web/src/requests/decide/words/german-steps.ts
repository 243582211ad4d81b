import { formatsIn } from '#platform/text/formats';
import type * as english from './english-steps.ts';

const { all, count, duration, number } = formatsIn('de');

export const revisions: typeof english.revisions = {
  title: 'Änderungen durch Freigebende',
  note: 'Es läuft die neueste Fassung. Stimmen von vor einer Änderung zählen nicht.',
  before: 'Vorher',
  after: 'Jetzt',
};

export const editing: typeof english.editing = {
  open: 'Argumente ändern',
  title: 'Ändern, was laufen soll',
  note: 'Alle bisherigen Stimmen werden ungültig, auch Ihre, und die Richtlinien werden auf den geänderten Aufruf angewandt. Alle, die abstimmen, sehen Ihre Änderungen.',
  save: 'Speichern und neu beginnen',
  close: 'Verwerfen',
  done: 'Der Aufruf ist geändert. Er braucht alle Freigaben noch einmal.',
  faulty: 'Korrigieren Sie zuerst die markierten Felder.',
  unchanged: 'Sie haben noch nichts geändert.',
};

export const discussion: typeof english.discussion = {
  title: 'Diskussion',
  none: 'Noch keine Kommentare.',
  requester: 'Die anfragende Person',
  kinds: { comment: 'hat kommentiert', question: 'hat nachgefragt', reply: 'hat geantwortet' },
  told: 'Das ist die Angabe des Agenten. Nichts belegt, dass die anfragende Person gefragt wurde.',
  refused: 'Die anfragende Person wollte nicht antworten.',
  waiting: 'Die anfragende Person hat noch nicht geantwortet.',
  label: 'Kommentieren oder nachfragen',
  note: 'Kommentare sind für die, die entscheiden. Rückfragen gehen an die anfragende Person, die Antwort erscheint hier. Beides entscheidet nichts.',
  comment: 'Kommentieren',
  commented: 'Kommentar hinzugefügt.',
  ask: 'Nachfragen',
  asked: 'Rückfrage gesendet.',
  empty: 'Schreiben Sie zuerst etwas.',
};

export const revoking: typeof english.revoking = {
  revoke: 'Freigabe widerrufen',
  note: 'Der Aufruf hat noch nicht begonnen. Nach dem Widerruf gibt die Freigabe nichts mehr frei, und der nächste Aufruf fragt neu an.',
  done: 'Freigabe widerrufen. Das Tool wird nicht ausgeführt.',
  lapses: {
    revoked: 'Die Freigabe wurde widerrufen, bevor sie genutzt wurde. Das Tool wurde nicht ausgeführt.',
    lapsed: 'Die Freigabe galt nicht mehr, als sie genutzt werden sollte. Das Tool wurde nicht ausgeführt.',
  },
};

export const more: typeof english.more = {
  noReviewer: 'Das prüft noch niemand.',
  mine: 'Andere sehen, dass Sie das prüfen.',
  reviewing: (name) => `${name} prüft das. Sie können trotzdem entscheiden.`,
  take: 'Ich prüfe das',
  held: 'Andere sehen jetzt, dass Sie das prüfen.',
  release: 'Abgeben',
  letGo: 'Sie sind nicht mehr als prüfend eingetragen.',
  voted: 'Sie haben über diese Anfrage abgestimmt.',
  withdraw: 'Meine Stimme zurückziehen',
  withdrawn: 'Ihre Stimme ist zurückgezogen.',
  takeBack: (seconds) => `Zurücknehmen (${number(seconds)} s)`,
  addApprover: 'Freigebende Person hinzufügen',
  addApproverNote: 'Sie muss nach dieser Stufe auch freigeben. Alle anderen nötigen Freigaben bleiben nötig.',
  chooseFirst: 'Wählen Sie zuerst eine Person.',
  add: 'Hinzufügen',
  approverAdded: 'Person hinzugefügt.',
  postpone: 'Frühester Start',
  postponeNote: (zone) => `Vor Ablauf der Frist. In Ihrer Zeitzone: ${zone}`,
  timeFirst: 'Wählen Sie zuerst eine Zeit.',
  setStart: 'Startzeit setzen',
  postponed: 'Startzeit gesetzt.',
  close: 'Schließen',
};

const risks: Record<string, string> = { low: 'niedrigem', medium: 'mittlerem', high: 'hohem' };

export const allowing: typeof english.allowing = {
  label: 'Wenn Sie freigeben',
  once: 'Nur dieses eine Mal',
  lasting: (milliseconds) => `Und denselben Aufruf ohne neue Anfrage, für ${duration(milliseconds)}`,
  bounds: ({ same, uses, budget, ceiling }) => {
    const bounds = [
      same.length === 0 ? 'dieselben Argumente' : `derselbe Wert für ${all(same)}`,
      ...(uses === null ? [] : [`höchstens ${count(uses, { one: 'Nutzung', other: 'Nutzungen' })}`]),
      ...(budget === null ? [] : [`${budget.argument} insgesamt bis ${number(budget.total)}`]),
      `nie über ${risks[ceiling] ?? ceiling} Risiko`,
    ];
    return `„Derselbe Aufruf“ heißt: dieselbe anfragende Person und dasselbe Tool, ${bounds.join(', ')}. Alle Freigebenden müssen es erlauben, die kürzeste Zeit zählt, und es lässt sich jederzeit beenden.`;
  },
};

export const breakGlass: typeof english.breakGlass = {
  title: 'Notfallfreigabe',
  lead: 'Wenn das Warten auf die Richtlinie Schaden anrichten würde, können Sie an ihr vorbei freigeben. Nur als letztes Mittel.',
  open: 'Notfallfreigabe…',
  consequences: [
    'Der Aufruf läuft sofort, genau wie gezeigt, ohne die fehlenden Freigaben.',
    'Alle, die diese Konsole benutzen, erfahren davon.',
    'Jemand anderes prüft es, mit Ihrer Begründung.',
  ],
  reason: 'Warum es nicht warten kann',
  reasonNote: 'Mindestens 20 Zeichen. Wird im Protokoll aufbewahrt.',
  reasonMissing: (characters) => `Sagen Sie in mindestens ${number(characters)} Zeichen, warum es nicht warten kann.`,
  password: 'Ihr Passwort',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  press: 'Jetzt an der Richtlinie vorbei ausführen:',
  close: 'Schließen',
  done: 'Notfallfreigabe aufgezeichnet. Der Aufruf kann jetzt laufen.',
  used: (name) => `${name} hat das per Notfallfreigabe an der Richtlinie vorbei freigegeben.`,
  due: 'Prüfung fällig',
  reviewed: (name, isJustified) =>
    `${name} hat es geprüft und für ${isJustified ? 'gerechtfertigt' : 'nicht gerechtfertigt'} befunden.`,
  justified: 'War es gerechtfertigt?',
  yes: 'Ja',
  no: 'Nein',
  finding: 'Ihr Befund',
  review: 'Prüfung speichern',
  reviewMissing: 'Wählen Sie Ja oder Nein, und schreiben Sie Ihren Befund auf.',
  reviewKept: 'Prüfung gespeichert.',
};

export const reasons: typeof english.reasons = {
  changed: 'Die Anfrage hat sich geändert. Lesen Sie die neue Fassung, und bestätigen Sie das.',
  readFirst: (seconds) => `In ${seconds} s können Sie freigeben. Lesen Sie die Anfrage zuerst.`,
  pauseFirst: (milliseconds) =>
    `Sie haben viele Anfragen freigegeben, oder mehrere in je wenigen Sekunden. Machen Sie eine Pause: In ${duration(milliseconds)} geht es weiter.`,
  unread: 'Lesen Sie zuerst den Rest der Anfrage: Noch nicht alles war auf Ihrem Bildschirm.',
  sending: 'Ihre letzte Aktion wird noch gesendet.',
  turn: (waiting, stage, stages) =>
    stages === 1 ? `${waiting}.` : `${waiting} (Stufe ${number(stage)} von ${number(stages)}).`,
};

export const comparison: typeof english.comparison = {
  title: 'Verglichen mit dem letzten freigegebenen Aufruf',
  same: 'Dieselben Argumente wie bei',
  changed: (differences) => `${count(differences, { one: 'Änderung', other: 'Änderungen' })} gegenüber`,
  approved: 'dem letzten freigegebenen Aufruf dieses Tools, den Sie lesen dürfen',
  all: 'alle Argumente',
  cut: (differences) => `Nur die ersten ${number(differences)} werden gezeigt.`,
};

export const lookBack: typeof english.lookBack = {
  chosen: 'Die Richtlinie hat das ohne Rückfrage erlaubt. Es wurde für einen späteren Blick ausgewählt.',
  open: 'Noch hat es sich niemand angesehen.',
  reviewed: (name, shouldHaveAsked) =>
    shouldHaveAsked ? `${name} sagt: Es hätte jemand gefragt werden sollen.` : `${name} sagt: So ist es in Ordnung.`,
  question: 'War es richtig, nicht zu fragen?',
  right: 'In Ordnung',
  wrong: 'Es hätte jemand gefragt werden sollen',
  finding: 'Anmerkung',
  missing: 'Wählen Sie eine Antwort.',
  noteMissing: 'Sagen Sie, warum jemand hätte gefragt werden sollen.',
  save: 'Speichern',
  saved: 'Gespeichert.',
};
