import type * as english from './english-question.ts';

export const grammar: typeof english.grammar = {
  questions: {
    approvals: ['freigaben', 'freigegeben'],
    requests: ['anfragen', 'gefragt', 'aufrufe', 'entscheidungen'],
    'own-approvals': [
      'eigene freigaben',
      'eigene anfragen',
      'eigene anfrage',
      'hat jemand eigene anfragen freigegeben',
    ],
    automatic: ['automatische freigaben', 'automatisch', 'ohne mensch', 'was lief ohne mensch'],
    overrides: ['notfallfreigaben', 'notfälle', 'im notfall freigegeben', 'übergangen', 'was wurde übergangen'],
    edited: ['geändert', 'bearbeitet'],
    hasty: ['in unter fünf sekunden', 'unter fünf sekunden', 'in unter 5 sekunden', 'unter 5 sekunden'],
    'could-approve': ['wer konnte freigeben', 'konnte freigeben', 'wer darf freigeben', 'wer darf jetzt freigeben'],
    readers: ['wer las', 'leser'],
    'policy-changes': ['änderungen an richtlinien', 'richtlinienänderungen', 'welche richtlinien wurden geändert'],
    access: ['was gelesen wurde', 'gelesen', 'zugriffe'],
  },
  outcomes: {
    open: ['offen', 'offene', 'unentschieden'],
    accepted: [],
    declined: ['abgelehnt', 'abgelehnte', 'zurückgewiesen', 'zurückgewiesene'],
    cancelled: ['abgebrochen', 'abgebrochene', 'zurückgezogen', 'zurückgezogene'],
    expired: ['abgelaufen', 'abgelaufene'],
    lapsed: ['verfallen', 'verfallene'],
    revoked: ['widerrufen', 'widerrufene'],
  },
  filters: {
    tool: ['von', 'werkzeug'],
    server: ['auf', 'server'],
    policy: ['richtlinie'],
    person: ['durch', 'person'],
    client: ['agent', 'durch agent'],
    requester: ['für', 'antragsteller'],
    request: ['anfrage'],
  },
  periods: {
    today: ['heute'],
    yesterday: ['gestern'],
    thisWeek: ['diese woche'],
    lastWeek: ['letzte woche'],
    thisMonth: ['diesen monat'],
    lastMonth: ['letzten monat'],
  },
  lastDays: /^letzte (\d{1,4}) tage?(?= |$)/,
  since: ['seit', 'ab'],
  until: ['bis', 'zum'],
  onDay: ['am'],
  hours: /^zwischen (\d{1,2})(?::00)? und (\d{1,2})(?::00)?(?: uhr)?(?= |$)/,
  night: ['nachts'],
  empty: ['die', 'alle', 'und', 'wurden', 'wurde', 'sind', 'was', 'welche', 'zeige', 'in'],
};

export const line: typeof english.line = {
  label: 'In einer Zeile fragen',
  example: 'Etwa: Freigaben von pay_invoice durch Ada Lovelace letzte Woche unter fünf Sekunden',
  ask: 'Fragen',
  understood: 'Fragt nach:',
  noQuestion:
    'Beginnen Sie mit dem, was gefragt ist, etwa Freigaben, Anfragen, Notfallfreigaben oder Richtlinienänderungen.',
  twoQuestions: (first, second) => `Fragen Sie eines nach dem anderen: „${first}“ oder „${second}“.`,
  unknown: (word, near) =>
    near === null
      ? `„${word}“ ist kein Wort einer Frage. Setzen Sie Namen hinter von, auf, durch, Richtlinie, Agent oder für.`
      : `„${word}“ ist kein Wort einer Frage. Meinten Sie „${near}“?`,
  noValue: (word) => `Setzen Sie einen Namen hinter „${word}“.`,
  noDate: (word) => `Setzen Sie einen Tag hinter „${word}“, etwa 2026-11-25.`,
  noPerson: (name, near) =>
    near === null ? `Es gibt niemanden namens „${name}“.` : `Es gibt niemanden namens „${name}“. Meinten Sie ${near}?`,
  namesakes: (name) => `Mehrere Personen heißen „${name}“. Setzen Sie stattdessen die E-Mail-Adresse.`,
  notNarrowed: (question, filter) => `„${question}“ lässt sich nicht eingrenzen nach: ${filter}. Lassen Sie das weg.`,
  wrongHours: 'Geben Sie zwei Stunden von 0 bis 24 an, etwa zwischen 22 und 6.',
  again: (phrase) => `„${phrase}“ grenzt ein, was schon eingegrenzt ist. Lassen Sie eines von beiden weg.`,
  noDays: 'Geben Sie eine Zahl von Tagen ab 1 an, etwa letzte 10 Tage.',
  notYet: (day) => `${day} kommt erst noch (Tage gelten in UTC). Geben Sie einen Tag bis heute an.`,
  endsBefore: (to, from) => `${to} liegt vor ${from}. Geben Sie ein Ende an, das nicht vor dem Beginn liegt.`,
  oneTime: (question) => `„${question}“ gilt einem Zeitpunkt. Setzen Sie ihn hinter „am“, etwa am 2026-11-25.`,
};
