import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, duration } = formatsIn('fr');

export const proof: typeof english.proof = {
  codeTitle: 'Saisir le code',
  codeHeading: 'Saisissez le code de votre client MCP',
  codeNote:
    'Votre client MCP a montré six chiffres avec le lien vers cette page. Ils prouvent que la demande vous est destinée.',
  code: 'Code',
  open: 'Ouvrir la demande',
  wrongCode: (tries) =>
    `Ce code n’est pas le bon. Vérifiez-le : encore ${count(tries, { one: 'essai', other: 'essais' })}.`,
  closedTitle: 'Cette page est fermée',
  lockedTitle: 'Ce lien est verrouillé',
  lockedHeading: 'Trop de codes faux',
  lockedNote: (opensIn) =>
    `${opensIn === null ? 'Ce lien n’accepte plus de code.' : `Ce lien acceptera de nouveau un code dans ${duration(opensIn)}.`} Rien n’a été décidé ici.`,
  lockedAdvice:
    'Pour continuer tout de suite, laissez l’outil redemander dans votre client MCP. Il montre un nouveau lien et, après des codes faux, un nouveau code ; les deux sont valables aussitôt.',
  noCookieTitle: 'Ce navigateur ne garde pas de cookies',
  noCookieHeading: 'Autorisez les cookies pour cette page',
  noCookieNote:
    'Ce navigateur n’a pas renvoyé le cookie auquel la page le reconnaît. Ce que vous avez envoyé n’a pas été examiné, et rien n’a été décidé.',
  noCookieAdvice:
    'Autorisez les cookies pour cette adresse, ou prenez un autre navigateur. Ouvrez ensuite le lien de nouveau.',
  personTitle: 'Montrez que c’est vous',
  personHeading: 'Montrez que cette demande vous est destinée',
  personNote:
    'Cette demande est pour une seule personne. Connectez-vous à la console comme cette personne, puis continuez ici.',
  signIn: 'Se connecter',
  signedIn: 'La connexion est faite',
  wrongPerson:
    'Personne n’est connecté ici, ou ce n’est pas la personne interrogée. Si c’est vous, demandez à l’administration de vous relier au nom sous lequel l’outil vous connaît.',
  notThisCode:
    'Rien n’a été ouvert. Le code est peut-être faux, un plus récent l’a peut-être remplacé, ou la demande est terminée. Si elle est à vous, laissez l’outil redemander : vous verrez le lien et le code valables maintenant.',
  notThisPerson:
    'Rien n’a été ouvert. Personne n’est peut-être connecté ici, ce n’est peut-être pas la personne interrogée, ou la demande est terminée. Si elle est à vous, laissez l’outil redemander, ou demandez à l’administration de vous relier au nom sous lequel l’outil vous connaît.',
  closedHeading: 'Vous ne pouvez pas ouvrir cette demande ici',
  closedNote:
    'L’outil ne vous a pas identifié d’une manière vérifiable ; cette page ne peut donc pas savoir que la demande vous est destinée. Rien n’a été décidé.',
  closedAdvice:
    'Répondez plutôt dans votre client MCP, ou demandez aux personnes qui gèrent l’outil de vérifier qui s’en sert.',
};

export const question: typeof english.question = {
  title: (name) => `${name} attend votre réponse`,
  notSent: (title) => `Non envoyé : ${title}`,
  needsAnswer: 'attend votre réponse',
  question: 'Demande',
  agent: 'Motif de l’agent (non vérifié)',
  what: 'Ce qui va s’exécuter',
  tool: 'L’outil',
  withArguments: 'avec',
  withoutArguments: 'sans arguments',
  who: 'Demandé par',
  server: 'Le serveur MCP',
  runs: 'Il exécute',
  requester: 'On vous interroge comme',
  until: 'Répondre avant',
  remaining: (milliseconds) => `dans ${duration(milliseconds)}`,
  untilNote: 'Personne d’autre que vous ne peut répondre. Sans réponse, la demande expire et l’outil ne s’exécute pas.',
  nothingSent: 'Rien n’a encore été envoyé',
  kept: 'Ce que vous avez saisi est gardé. Vérifiez ces champs :',
  keptWithoutSecrets: 'Ce que vous avez saisi est gardé, sauf les secrets. Vérifiez ces champs :',
  leaving: 'Vous allez quitter Assentry pour',
  imitates: (host) => [
    'Ce nom en imite peut-être un autre : il se lit ',
    host,
    '. Ne continuez que si vous attendiez exactement ce nom.',
  ],
  insecure: 'La connexion n’y est pas chiffrée.',
  address: 'Adresse complète',
  goTo: (host) => `Continuer vers ${host}`,
  send: 'Envoyer la réponse',
  accept: 'Accepter',
  decline: 'Refuser',
  cancel: 'Annuler',
  acceptUrl: 'Continuer vous y conduit ; l’outil reprend quand l’autre côté annonce le résultat.',
  acceptForm: (server) => ['Votre réponse va à ', server, ', et l’outil reprend avec elle.'],
  others: '« Refuser » dit non. « Annuler » met fin à la demande sans réponse.',
};

export const credential: typeof english.credential = {
  signInTitle: 'Montrez que ce lien vous est destiné',
  signInNote:
    'Avec ce lien, une personne saisit ses identifiants pour un serveur. Connectez-vous à la console comme cette personne, puis continuez ici.',
  wrongPerson:
    'Personne n’est connecté ici, ou le lien est pour quelqu’un d’autre. S’il est pour vous, demandez à l’administration de vous relier au nom sous lequel votre client MCP vous connecte.',
  title: (server) => `Vos identifiants pour ${server}`,
  note: [
    'Votre client MCP appelle ',
    ' pour vous. Saisissez ce par quoi ce serveur vous reconnaît, par exemple un jeton d’accès ou une clé d’API.',
  ],
  who: 'Enregistré pour',
  label: 'Identifiants',
  advice:
    'Ils sont enregistrés chiffrés et envoyés seulement à ce serveur, dans vos appels. Personne ne les revoit jamais.',
  wrong: 'Saisissez les identifiants sur une ligne, sans lettre qui ne puisse être envoyée. Rien n’a été enregistré.',
  store: 'Enregistrer les identifiants',
  stored: 'Vos identifiants sont enregistrés',
  storedNote: (server) => `Revenez à votre client MCP et appelez ${server} de nouveau. Vous pouvez fermer cette page.`,
  manage: 'Les remplacer ou les supprimer dans votre profil',
};

export const field: typeof english.field = {
  optional: 'facultatif',
  choose: 'Choisir…',
  noAnswer: 'Pas de réponse',
  yes: 'Oui',
  no: 'Non',
};

export const result: typeof english.result = {
  headings: {
    accept: 'Votre réponse a été envoyée',
    decline: 'Vous avez refusé',
    cancel: 'Vous avez annulé',
  },
  sentences: {
    accept: 'a votre réponse, et l’outil reprend.',
    decline: 'a appris que vous avez refusé.',
    cancel: 'a appris que vous n’avez pas répondu.',
  },
  close: 'Vous pouvez fermer cette page et revenir à votre client MCP.',
  receipt: 'Télécharger le reçu',
  receiptNote: 'preuve signée de votre réponse, vérifiable hors ligne.',
  ended: {
    headings: {
      accepted: 'Cette demande a reçu sa réponse',
      declined: 'Cette demande a été refusée',
      cancelled: 'Cette demande a été annulée',
      expired: 'Cette demande a expiré',
    },
    sentences: {
      accepted: 'La réponse a été donnée ici ou dans votre client MCP, et l’outil l’a reçue.',
      declined: 'Elle a été refusée ici ou dans votre client MCP, et l’outil le sait.',
      cancelled: 'Elle s’est terminée sans réponse : par vous, par l’outil ou par un administrateur.',
      expired:
        'Il n’y a pas eu de réponse à temps, et l’outil le sait. Si vous le voulez encore, laissez l’outil redemander.',
    },
    unsent: 'Ce que vous venez d’envoyer n’a rien changé : la demande était déjà terminée.',
  },
  callback: 'Vous pouvez fermer cette page',
  callbackNote:
    'Il n’y a rien à faire ici : le service annonce lui-même le résultat. Revenez à votre client MCP pour le voir.',
  trouble: 'Rouvrez le lien pour continuer. Si cela se reproduit, donnez ce numéro aux personnes qui gèrent Assentry :',
  invalid: 'Ce lien n’est pas valable',
  invalidNote: 'Il a peut-être servi, expiré ou est incomplet. L’ouvrir n’a rien changé.',
  invalidAdvice:
    'Si vous venez de répondre, votre réponse compte, et votre client MCP montre le résultat. Sinon, laissez l’outil redemander.',
};
