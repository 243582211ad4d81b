import { mostCounted } from '../../../../src/model/elicitation.ts';
import { formatsIn } from '../../../../src/model/words/formats.ts';
import type * as english from './english.ts';

const { count, number } = formatsIn('fr');

export const risks: typeof english.risks = { low: 'Risque faible', medium: 'Risque moyen', high: 'Risque élevé' };

export const roleNames: typeof english.roleNames = {
  admin: 'Administration',
  'policy-author': 'Rédaction des politiques',
  operator: 'Exploitation',
  approver: 'Approbation',
  reviewer: 'Contrôle',
};

export const endings: typeof english.endings = {
  open: 'Ouvert',
  accepted: 'Approuvé',
  declined: 'Refusé',
  cancelled: 'Retiré',
  expired: 'Expiré',
};
export const causes: typeof english.causes = {
  superseded: 'Remplacée par une demande plus récente',
  caller_gone: 'L’appelant est parti',
};

export const callers: typeof english.callers = { waiting: 'L’appelant attend', gone: 'L’appelant est parti' };

export const times: typeof english.times = {
  over: 'En retard',
  left: (text) => `encore ${text}`,
};

export const someoneGone: typeof english.someoneGone = 'Une personne partie depuis';

export const places: typeof english.places = {
  inbox: 'À traiter',
  history: 'Historique',
  insights: 'Statistiques',
  policies: 'Politiques',
  users: 'Personnes',
  audit: 'Audit',
  settings: 'Réglages',
};

export const newPassword: typeof english.newPassword = {
  label: 'Mot de passe',
  rule: 'Au moins 15 caractères. Quelques mots sans rapport se retiennent bien et se devinent mal.',
  tooShort: (length) => `Prenez au moins 15 caractères ; celui-ci en a ${number(length)}.`,
};

export const linkPage: typeof english.linkPage = { signIn: 'Aller à la connexion' };

export const chooseUser: typeof english.chooseUser = 'Choisir une personne…';

const counted = (requests: number): string => `${number(requests)}${requests < mostCounted ? '' : '+'}`;

export const shell: typeof english.shell = {
  product: 'Assentry',
  skip: 'Aller au contenu',
  skipToDecision: 'Aller à la décision',
  main: 'Navigation',
  counted,
  waiting: (requests) => (requests === 1 ? '1 demande vous attend' : `${counted(requests)} demandes vous attendent`),
  groupsDue: (groups) => (groups === 1 ? '1 groupe à confirmer' : `${counted(groups)} groupes à confirmer`),
  signOut: 'Se déconnecter',
  account: 'Votre profil :',
  shortcuts: 'Raccourcis clavier',
  language: 'Langue',
  languages: { browser: 'Langue du navigateur', en: 'English', de: 'Deutsch', fr: 'Français' },
  loading: 'Chargement',
  signedOut:
    'Votre session est terminée. Ce que vous avez saisi est encore là : reconnectez-vous dans un nouvel onglet, puis revenez.',
  signInAgain: 'Se connecter dans un nouvel onglet',
  signOutFailed: 'La déconnexion a échoué. Vous êtes encore connecté ; réessayez.',
};

export const problems: typeof english.problems = {
  retry: 'Réessayer',
  reference: (errorId) => `Référence pour l’exploitation : ${errorId}`,
  broken: 'Cette page ne fonctionne plus',
  brokenNote:
    'Rien n’a été décidé. Rechargez la page ; si cela se reproduit, dites à l’exploitation ce que vous faisiez.',
  reload: 'Recharger la page',
  stale: 'L’actualisation a échoué. Ce que vous voyez est peut-être dépassé.',
};

export const changes: typeof english.changes = {
  waiting: 'Attend une deuxième personne de l’administration',
  waitingNote: 'Rien d’autre n’a encore changé : quelqu’un d’autre de l’administration doit l’accepter.',
  open: 'Ouvrir la demande',
  alone: {
    trial: 'C’est fait.',
    'only-administrator':
      'Cela a pris effet tout de suite : dès qu’une deuxième personne de l’administration aura défini un mot de passe, l’une acceptera ce que l’autre demande.',
  },
};

export const copying: typeof english.copying = {
  copy: 'Copier',
  copied: 'Copié',
  failed: 'Le navigateur a bloqué la copie. Sélectionnez le texte et copiez-le vous-même.',
};

export const listTable: typeof english.listTable = {
  constant: (rows) => `Identique dans les ${number(rows)}`,
  outlier: (rare, rows, column) => `${number(rare)} sur ${number(rows)} diffère : ${column}`,
  outliers: (rare, rows, column) => `${number(rare)} sur ${number(rows)} diffèrent : ${column}`,
  most: 'sinon',
  sum: (column) => `Somme de ${column}`,
  absent: 'non indiqué',
  row: 'N°',
  label: (name) => `Éléments de ${name}`,
};

export const charts: typeof english.charts = {
  day: 'Du',
  table: 'Montrer en tableau',
  cut: (days) => `Coupé en haut, pour que le reste se voie. ${days.join(' · ')}`,
  chartOf: (title) => `${title} ; le tableau ci-dessous donne les nombres`,
};

export const stopped: typeof english.stopped = {
  banner: ({ server, tool, by, reason }) =>
    `${[tool, server].filter((name) => name !== null).join(' de ') || 'Tout'} : arrêté par ${by ?? 'l’exploitation'} : ${reason}`,
  look: 'Arrêts',
  more: (more) => `${count(more, { one: 'autre arrêt', other: 'autres arrêts' })} en vigueur`,
};

export const breakGlass: typeof english.breakGlass = {
  used: (requests) =>
    `${count(requests, { one: 'demande a été approuvée', other: 'demandes ont été approuvées' })} par dérogation d’urgence et ${requests === 1 ? 'doit être examinée' : 'doivent être examinées'}.`,
  look: 'Examiner',
};

export const notFound: typeof english.notFound = {
  missing: 'Page introuvable',
  missingNote:
    'L’adresse est peut-être incomplète. Les demandes ouvertes sont dans « À traiter », les autres dans l’historique.',
  inbox: 'Aller aux demandes à traiter',
};
