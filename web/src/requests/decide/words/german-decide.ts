import { formatsIn } from '#platform/text/formats';
import type * as english from './english-decide.ts';

const { all, count, duration, number } = formatsIn('de');

export const card: typeof english.card = {
  requester: 'Von',
  tool: 'Aufruf',
  on: 'auf',
  absent: 'nicht angegeben',
  items: (items) => count(items, { one: 'Eintrag', other: 'Einträge' }),
  empty: 'leerer Text',
  cut: 'mehr auf der Seite',
  saidBy: (server) => `${server} schreibt:`,
  notShown: (values) =>
    `${count(values, { one: 'Argument steht', other: 'Argumente stehen' })} nicht hier, nur auf der Seite.`,
  notShownAtAll: 'Die Argumente stehen nicht hier, nur auf der Seite.',
  stray: (numbers) => `${all(numbers)}: nicht in den Argumenten.`,
  verbs: (verbs) => `SQL: ${verbs.join(', ')}`,
  minor: {
    cents: (currency) => (currency === null ? 'in Cent' : `in Cent, nicht in ${currency}`),
    micros: (currency) => (currency === null ? 'in Millionsteln' : `in Millionsteln von ${currency}`),
    minor: (currency) =>
      currency === null ? 'in der kleinsten Einheit' : `in der kleinsten Einheit, nicht in ${currency}`,
  },
};

const newNames = { payee: 'Neue Empfangsstelle', host: 'Neuer Host', path: 'Neuer Pfad' };

export const signals: typeof english.signals = {
  title: 'Verglichen mit früheren Anfragen',
  say: (signal) => {
    if (signal.kind === 'reaches') return 'Der Server führt etwas anderes aus als bei der letzten Freigabe';
    if (signal.kind === 'new') return newNames[signal.what];
    if (signal.kind === 'amount') return `${number(signal.times)} × so viel wie üblich (${number(signal.usual)})`;
    if (signal.kind === 'burst')
      return `${signal.isMore ? 'Mehr als ' : ''}${count(signal.calls, { one: 'Anfrage', other: 'Anfragen' })} in 10 Minuten`;
    if (signal.kind === 'unchecked') return 'Anfragende Person nicht geprüft, anders als bisher';
    return signal.kind === 'hour' ? `Ungewöhnliche Uhrzeit: ${signal.time}` : 'Tool seit der letzten Freigabe geändert';
  },
  explain: (signal) => {
    const calls = count(signal.of, { one: 'freigegebenen Aufruf', other: 'freigegebenen Aufrufe' });
    if (signal.kind === 'reaches')
      return 'Was der Server ausführt oder wo er ist, unterscheidet sich vom letzten freigegebenen Aufruf.';
    if (signal.kind === 'new')
      return `${signal.label}: ${signal.value} kommt in keinem der letzten ${number(signal.of)} freigegebenen Aufrufe dieses Tools vor.`;
    if (signal.kind === 'amount')
      return `Der Median von ${signal.label} über die letzten ${calls} mit derselben Währung ist ${number(signal.usual)}.`;
    if (signal.kind === 'burst')
      return 'Die übrigen kamen in den zehn Minuten davor, von derselben anfragenden Stelle.';
    if (signal.kind === 'hour')
      return `Keine der letzten ${count(signal.of, { one: 'Anfrage', other: 'Anfragen' })} kam innerhalb von drei Stunden um diese Uhrzeit.`;
    if (signal.kind === 'unchecked')
      return `In jedem der letzten ${number(signal.of)} freigegebenen Aufrufe dieses Tools war geprüft, wer anfragt.`;
    return 'Titel, Beschreibung, Hinweise oder Schema sind anders als beim letzten freigegebenen Aufruf.';
  },
  from: 'Aus',
  more: (requests) => `und ${number(requests)} weiteren`,
  note: 'Es zählen nur Anfragen, die Sie lesen dürfen.',
  was: 'zuvor',
  added: 'neu',
};

export const decide: typeof english.decide = {
  title: 'Ihre Entscheidung',
  fold: 'Ausblenden',
  unfold: 'Entscheiden',
  openComment: 'Kommentar hinzufügen',
  openTerms: 'Kommentar und Optionen',
  hold: '1 s halten',
  pressAgain: 'Zum Freigeben noch einmal drücken',
  keepHolding: 'Weiter halten',
  left: (left) => {
    if (left.kind === 'changed') return 'Erst die neue Fassung lesen';
    if (left.kind === 'passkey') return 'Erst einen Passkey hinzufügen';
    if (left.kind === 'read') return 'Erst den Rest lesen';
    if (left.kind === 'comment') return 'Kommentar fehlt';
    if (left.kind === 'typed') return `${left.text} eintippen`;
    const { count: fields, first, isMissing } = left;
    const which = fields === 1 ? first : `${first}, …`;
    if (!isMissing) return `${count(fields, { one: 'Antwort', other: 'Antworten' })} zu berichtigen: ${which}`;
    return `${count(fields, { one: 'Antwort fehlt', other: 'Antworten fehlen' })}: ${which}`;
  },
  sign: 'Mit Passkey unterschreiben',
  signs: (tool) => `Mit Ihrem Passkey unterschreiben: ${tool} freigeben. Ihr Gerät fragt noch einmal.`,
  final: 'Was gelaufen ist, lässt sich hier nicht rückgängig machen.',
  given: (filled, required) =>
    `${number(filled)} von ${count(required, { one: 'Pflichtfeld', other: 'Pflichtfeldern' })} ausgefüllt.`,
  form: 'Was das Tool wissen muss',
  formBroken:
    'Das Formular dieser Anfrage kann nicht gezeigt werden, daher können Sie sie hier nicht freigeben. Sie können sie ablehnen oder zurückziehen.',
  optional: 'optional',
  comment: 'Kommentar',
  commentNote: 'Zum Ablehnen nötig. Für Agent und anfragende Person sichtbar.',
  commentRule: (rule) => `${rule} Für Agent und anfragende Person sichtbar.`,
  toType: (text: string) => `Zum Freigeben ${text} eintippen.`,
  commentMissing: 'Sagen Sie, warum Sie ablehnen, damit Agent und anfragende Person wissen, was sie ändern müssen.',
  approveWord: 'Freigeben',
  approve: (tool) => `${tool} freigeben`,
  decline: 'Ablehnen',
  cancel: 'Anfrage zurückziehen',
  before: 'Was jede Schaltfläche tut',
  approves: (progress, allowFor) => {
    const done =
      allowFor === null
        ? 'lässt diesen Aufruf einmal laufen, genau wie gezeigt.'
        : `lässt diesen Aufruf wie gezeigt laufen und denselben Aufruf ohne neue Anfrage noch einmal, für ${duration(allowFor)}.`;
    if (progress === null) return done;
    const missing = progress.need - progress.have - 1;
    if (missing > 0)
      return `zählt als Ihre Stimme. Dann ${missing === 1 ? 'fehlt' : 'fehlen'} in dieser Stufe noch ${count(missing, { one: 'Freigabe', other: 'Freigaben' })}.`;
    if (progress.stage >= progress.stages) return done;
    return 'zählt als Ihre Stimme und schließt diese Stufe ab. Der Aufruf läuft nach den übrigen Stufen.';
  },
  declines: (isLast) =>
    isLast
      ? 'beendet die Anfrage. Das Tool läuft nicht, und der Agent erhält Ihren Kommentar.'
      : 'zählt als Ihre Gegenstimme. Die Anfrage endet, wenn genug Personen ablehnen.',
  voteAs: 'Wessen Stimme',
  voteAsNote: 'Diese Person hat Ihnen ihre Stimme übertragen. Beide Namen werden gezeigt.',
  ownName: 'Meine eigene',
  inPlaceOf: (name) => `Für ${name}`,
  forSomeone: (name) => `für ${name}`,
  cancels: 'Beendet die Anfrage endgültig ohne Antwort. Das Tool läuft nicht.',
  faults: (faults) => `${count(faults, { one: 'Feld braucht', other: 'Felder brauchen' })} Ihre Aufmerksamkeit.`,
  armed: (verb) => `${verb}? Y bestätigt, Esc bricht ab.`,
  more: 'Frist',
  hour: 'Um 1 Stunde verlängern',
  day: 'Um 1 Tag verlängern',
  extended: 'Frist verlängert.',
};

export const field: typeof english.field = {
  yes: 'Ja',
  no: 'Nein',
  noAnswer: 'Keine Antwort',
  choose: 'Auswählen…',
  counted: (have, most) => `${number(have)} von ${number(most)} Zeichen`,
  zone: (zone) => `In Ihrer Zeitzone: ${zone}`,
};
