import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number } = formatsIn('fr');

export const mail: typeof english.mail = {
  turn: (tool) => `Votre approbation est nécessaire : ${tool}`,
  reminder: (tool) => `Vous attend toujours : ${tool}`,
  accepted: (tool) => `Demande approuvée : ${tool}`,
  declined: (tool) => `Demande refusée : ${tool}`,
  expired: (tool) => `Demande expirée, personne n’a décidé à temps : ${tool}`,
  review: (policy) => `Une politique attend votre relecture : ${policy}`,
  key: (server) => `Une clé expire bientôt : ${server}`,
  members: (group) => `Les membres d’un groupe attendent votre confirmation : ${group}`,
  report: (tool) => `Un service a envoyé une réponse qu’aucun appel n’a reçue : ${tool}`,
  changed: (tool) => `Un outil de votre serveur a changé : ${tool}`,
  signIn: {
    password: 'Votre mot de passe pour Assentry a été défini',
    'passkey-added': 'Une clé d’accès a été ajoutée à votre compte',
    'passkey-removed': 'Une clé d’accès de votre compte a été supprimée',
    'app-added': 'Une application d’authentification a été ajoutée à votre compte',
    'app-removed': 'L’application d’authentification de votre compte a été supprimée',
    'recovery-codes': 'Vous avez de nouveaux codes de récupération',
    'provider-connected': 'Votre compte a été relié à un fournisseur d’identité',
    'provider-removed': 'Votre compte n’est plus relié à un fournisseur d’identité',
    address: 'Assentry vous écrit désormais à une autre adresse',
  },
  signInNote:
    'Si c’était vous, il n’y a rien à faire. Sinon, mettez fin à vos autres sessions sur la page de votre compte et prévenez l’administration.',
  link: 'Définissez votre mot de passe pour Assentry',
  linkNote: (until) =>
    `L’administration d’Assentry vous demande de définir un mot de passe. Ce lien sert une fois, jusqu’au ${until}. Ne le donnez à personne.`,
  resetNote:
    'En l’utilisant, vous supprimez aussi vos clés d’accès et votre application d’authentification, et vous en ajoutez de nouvelles. Si vous ne l’avez pas demandé, ne l’utilisez pas et dites-le à l’exploitation.',
  test: 'Un test d’Assentry',
  testNote: 'Les e-mails d’Assentry vous parviennent à cette adresse.',
  several: (notices) => count(notices, { one: 'notification', other: 'notifications' }),
  more: (notices) => `Et ${number(notices)} de plus : voyez vos demandes.`,
  tool: 'Outil',
  server: 'Serveur',
  risk: 'Risque',
  risks: { low: 'faible', medium: 'moyen', high: 'élevé' },
  until: 'Échéance',
  open: 'Ouvrir dans Assentry',
  footer:
    'Vous ne pouvez décider que dans Assentry, après vous être connecté. Cet e-mail ne montre aucun contenu de la demande.',
};

export const push: typeof english.push = { testNote: 'Les notifications d’Assentry parviennent à cet appareil.' };

export const call: typeof english.call = {
  waiting: (tool) => `Approbation nécessaire : ${tool}`,
  reminded: (tool) => `Attend toujours une approbation : ${tool}`,
  withdrawn: (tool) => `Demande retirée : ${tool}`,
};
