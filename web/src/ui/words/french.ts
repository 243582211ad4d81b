import { maxCounted } from '#requests/asking/contract/elicitation';
import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { number } = formatsIn('fr');

export const risks: typeof english.risks = { low: 'Risque faible', medium: 'Risque moyen', high: 'Risque élevé' };

export const builtIn: typeof english.builtIn = {
  policy: 'intégrée',
  stages: { Approval: 'Approbation', 'Second administrator': 'Seconde personne de l’administration' },
};

export const roleNames: typeof english.roleNames = {
  admin: 'Administration',
  'policy-author': 'Rédaction des politiques',
  operator: 'Exploitation',
  approver: 'Approbation',
  reviewer: 'Contrôle',
};

export const endings: typeof english.endings = {
  open: 'Ouverte',
  accepted: 'Approuvée',
  declined: 'Refusée',
  cancelled: 'Retirée',
  expired: 'Expirée',
};
export const causes: typeof english.causes = {
  superseded: 'Remplacée par une demande plus récente',
  caller_gone: 'L’appelant est parti',
};

export const digits: typeof english.digits = { decimalPoint: 'point décimal' };

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
  tooShort: (length) => `Prenez au moins 15 caractères ; celui-ci en a ${number(length)}.`,
};

export const linkPage: typeof english.linkPage = { signIn: 'Aller à la connexion' };

export const chooseUser: typeof english.chooseUser = 'Choisir une personne…';

const counted = (requests: number): string => `${number(requests)}${requests < maxCounted ? '' : '+'}`;

export const shell: typeof english.shell = {
  product: 'Assentry',
  skip: 'Aller au contenu',
  skipToDecision: 'Aller à la décision',
  main: 'Navigation',
  counted,
  waiting: (requests) => (requests === 1 ? '1 demande vous attend' : `${counted(requests)} demandes vous attendent`),
  signOut: 'Déconnexion',
  account: 'Votre profil :',
  find: 'Trouver une page ou une action',
  shortcuts: 'Raccourcis clavier',
  togglePassword: 'Afficher ou masquer le mot de passe',
  language: 'Langue',
  languages: { browser: 'Langue du navigateur', en: 'English', de: 'Deutsch', fr: 'Français' },
  loading: 'Chargement',
  signedOut:
    'Votre session est terminée. Ce que vous avez saisi est encore là : reconnectez-vous dans un nouvel onglet, puis revenez.',
  signInAgain: 'Se connecter dans un nouvel onglet',
  signOutFailed: 'La déconnexion a échoué. Votre session reste ouverte ; réessayez.',
};

export const problems: typeof english.problems = {
  retry: 'Réessayer',
  reference: (errorId) => `Référence pour l’exploitation : ${errorId}`,
  broken: 'Cette page n’a pas pu être chargée',
  brokenNote:
    'Vérifiez votre connexion, puis rechargez la page. Si cela se répète, dites à l’exploitation ce que vous faisiez.',
  reload: 'Recharger la page',
  stale: 'L’actualisation a échoué. Ce que vous voyez est peut-être dépassé.',
};

export const notFound: typeof english.notFound = {
  missing: 'Page introuvable',
  missingNote:
    'L’adresse est peut-être incomplète. Les demandes ouvertes sont dans « À traiter », les autres dans l’historique.',
  inbox: 'Aller aux demandes à traiter',
};
