import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number, percent } = formatsIn('de');

export const words: typeof english.words = {
  lead: 'Wie viel entschieden wurde, wie es endete und wie lange es dauerte. Die Tage sind die der UTC.',
  reviewersOnly:
    'Administration und Prüfung sehen die Auswertung; wer einen Bereich betreut oder einen Server besitzt, sieht die der eigenen Server.',
  space: 'Bereich',
  everyServer: 'Alle Server',
  ownServers: 'Alles, was Sie sehen',
  period: 'Zeitraum',
  periods: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage', 365: 'Ein Jahr' },
  empty: 'In diesem Zeitraum endete nichts',
  emptyNote: 'Wählen Sie einen längeren. Anfragen zählen, sobald sie entschieden, abgebrochen oder abgelaufen sind.',
  most: (requests) => `Bis zu ${count(requests, { one: 'Anfrage', other: 'Anfragen' })}`,
  decisions: 'Entscheidungen im Lauf der Zeit',
  expiries: 'Ablauf ohne Entscheidung je Tag',
  waits: 'Zeit bis zur Entscheidung',
  p50: 'Die Hälfte in',
  p95: '95 % in',
  none: 'Keine',
  tools: 'Ergebnisse nach Tool und Server',
  tool: 'Tool',
  outcomes: 'Ergebnisse',
  rule: 'Regel',
  approvedOf: (share) => `Zu ${percent(share)} freigegeben`,
  makeRule: 'Daraus eine Regel machen?',
  hasty: (seconds) => `In unter ${number(seconds)} Sekunden entschieden`,
  hastyNote: 'Gezählt ab dem ersten Öffnen der Anfrage. Stimmen im Chat gelten nicht als hastig.',
  hastyList: 'Jede dieser Stimmen ansehen',
  person: 'Person',
  votes: 'Stimmen',
  hastyVotes: 'Hastig',
  share: 'Anteil',
  samples: 'Ohne Rückfrage erlaubt, später angesehen',
  samplesNote: 'Zufällig ausgewählt von den Richtlinien mit sample. Der Anteil gilt für das, was jemand angesehen hat.',
  samplesList: 'Stichproben',
  policy: 'Richtlinie',
  allowed: 'Erlaubt',
  drawn: 'Ausgewählt',
  reviewed: 'Angesehen',
  wrong: 'Hätte gefragt werden sollen',
  signals: (signals) => count(signals, { one: 'Auffälligkeit', other: 'Auffälligkeiten' }),
  noSignals: (run, spree, minutes, burst) =>
    `Nichts fällt auf: Niemand hat ${number(run)}-mal hintereinander hastig abgestimmt oder innerhalb von ${number(minutes)} Minuten ${number(spree)} Anfragen freigegeben, und kein Tool hat ${number(burst)}-mal in einer Minute gefragt.`,
  showThem: 'Anzeigen',
  spree: (name, server, approvals, minutes, at) =>
    `${name} hat innerhalb von ${number(minutes)} Minuten ${number(approvals)} Anfragen${server === null ? '' : ` von ${server}`} freigegeben, bis ${at}.`,
  run: (name, server, votes, seconds, from, to) =>
    `${name} hat ${number(votes)}-mal hintereinander${server === null ? '' : ` über Anfragen von ${server}`} in unter ${number(seconds)} Sekunden abgestimmt, von ${from} bis ${to}.`,
  burst: (tool, server, requests, at) =>
    `${tool} von ${server} hat in der Minute ab ${at} ${number(requests)}-mal gefragt.`,
};
