import type * as english from './english-question.ts';

export const grammar: typeof english.grammar = {
  questions: {
    approvals: ['approbations', 'approuvé', 'approuvés', 'qui a approuvé', 'qu’est-ce qui a été approuvé'],
    requests: ['demandes', 'demandé', 'appels', 'décisions'],
    'own-approvals': [
      'propres demandes',
      'propre demande',
      'propres approbations',
      'quelqu’un a-t-il approuvé sa propre demande',
    ],
    automatic: ['approbations automatiques', 'automatiques', 'automatique', 'sans personne'],
    overrides: ['dérogations d’urgence', 'dérogations', 'approuvées par dérogation', 'contournées', 'contourné'],
    edited: ['modifiées', 'modifiés', 'modifié'],
    hasty: ['en moins de cinq secondes', 'moins de cinq secondes', 'en moins de 5 secondes', 'moins de 5 secondes'],
    'could-approve': [
      'qui pouvait approuver',
      'pouvait approuver',
      'qui peut approuver',
      'qui peut approuver maintenant',
    ],
    readers: ['qui a lu', 'lecteurs'],
    'policy-changes': [
      'modifications des politiques',
      'modifications de politiques',
      'quelles politiques ont été modifiées',
    ],
    access: ['ce qui a été lu', 'lectures', 'accès'],
  },
  outcomes: {
    open: ['ouvertes', 'ouverte', 'encore ouvertes', 'en attente'],
    accepted: [],
    declined: ['refusées', 'refusée', 'refusés', 'refusé', 'rejetées', 'rejetée'],
    cancelled: ['retirées', 'retirée', 'retirés', 'retiré', 'annulées', 'annulée', 'annulés', 'annulé'],
    expired: ['expirées', 'expirée', 'expirés', 'expiré'],
    lapsed: ['caduques', 'caduque', 'devenues caduques'],
    revoked: ['révoquées', 'révoquée', 'révoqués', 'révoqué'],
  },
  filters: {
    tool: ['de', 'outil'],
    server: ['sur', 'serveur'],
    policy: ['politique'],
    person: ['par', 'personne'],
    client: ['agent', 'par agent', 'par l’agent'],
    requester: ['pour', 'demandeur'],
    request: ['demande'],
  },
  periods: {
    today: ['aujourd’hui'],
    yesterday: ['hier'],
    thisWeek: ['cette semaine'],
    lastWeek: ['la semaine dernière', 'semaine dernière'],
    thisMonth: ['ce mois-ci', 'ce mois'],
    lastMonth: ['le mois dernier', 'mois dernier'],
  },
  lastDays: /^(?:les )?(\d{1,4}) derniers jours?(?= |$)/,
  since: ['depuis', 'du'],
  until: ['jusqu’au', 'au'],
  onDay: ['le', 'à'],
  hours: /^entre (\d{1,2})(?: ?h(?:00)?)? et (\d{1,2})(?: ?h(?:00)?)?(?= |$)/,
  night: ['la nuit', 'de nuit'],
  empty: [
    'les',
    'toutes',
    'tous',
    'et',
    'qui',
    'quelles',
    'ont été',
    'a été',
    'ont',
    'sont',
    'montrer',
    'en',
    'l’outil',
  ],
};

export const line: typeof english.line = {
  label: 'Demander en une ligne',
  example: 'Par exemple : approbations de pay_invoice par Ada Lovelace la semaine dernière en moins de cinq secondes',
  ask: 'Demander',
  understood: 'Demande :',
  noQuestion:
    'Commencez par ce qui est demandé, par exemple approbations, demandes, dérogations ou modifications des politiques.',
  twoQuestions: (first, second) => `Demandez une chose à la fois : « ${first} » ou « ${second} ».`,
  unknown: (word, near) =>
    near === null
      ? `« ${word} » n’est pas un mot d’une question. Mettez un nom après de, sur, par, politique, agent ou pour.`
      : `« ${word} » n’est pas un mot d’une question. Vouliez-vous dire « ${near} » ?`,
  noValue: (word) => `Mettez un nom après « ${word} ».`,
  noDate: (word) => `Mettez un jour après « ${word} », par exemple 2026-11-25.`,
  noPerson: (name, near) =>
    near === null
      ? `Personne ne s’appelle « ${name} ».`
      : `Personne ne s’appelle « ${name} ». Vouliez-vous dire ${near} ?`,
  namesakes: (name) => `Plusieurs personnes s’appellent « ${name} ». Mettez plutôt leur adresse e-mail.`,
  notNarrowed: (question, filter) =>
    `« ${question} » ne se limite pas par ${filter.toLowerCase()}. Laissez cela de côté.`,
  wrongHours: 'Donnez deux heures différentes de 0 à 24, par exemple entre 22 et 6.',
  again: (phrase) => `« ${phrase} » limite ce qui l’est déjà. Laissez l’un des deux de côté.`,
  noDays: 'Donnez un nombre de jours à partir de 1, par exemple les 10 derniers jours.',
  notYet: (day) => `${day} est encore à venir (les jours sont en UTC). Donnez un jour jusqu’à aujourd’hui.`,
  endsBefore: (to, from) => `${to} est avant ${from}. Donnez une fin qui n’est pas avant le début.`,
  oneTime: (question) => `« ${question} » porte sur un seul moment. Mettez-le après « à », par exemple à 2026-11-25.`,
};
