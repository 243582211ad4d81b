import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { all, any, count, duration, number } = formatsIn('fr');

const approvals = { one: 'approbation', other: 'approbations' };

export const words: typeof english.words = {
  loading: 'Chargement de la demande',
  tab: (tool) => `${tool} · Demande`,
  missing: 'Demande introuvable',
  missingNote: 'Elle n’existe pas, ou vous n’y avez pas accès.',
  stale:
    'Cette page n’a pas pu être actualisée et peut être dépassée. Votre décision est de toute façon vérifiée à son arrivée.',
  closed: 'Terminée',
  opened: 'Demandée',
  stopTool: 'Arrêter cet outil…',
  unreadable: 'Cette demande ne peut pas être lue',
  withdrawUnreadable: 'Retirer cette demande',
  withdrawNote: 'Elle se termine sans décision, et l’agent l’apprend. Rien ne s’exécute.',
  withdrawn: 'La demande est retirée.',
};

const warnings = {
  ambiguous: 'Deux programmes peuvent lire cette adresse différemment : l’hôte n’est pas certain.',
  punycode: 'L’hôte est écrit en Punycode (xn--) et imite peut-être un autre nom.',
  'user-info': 'La partie avant le @ est un nom, pas l’hôte.',
};

export const what: typeof english.what = {
  title: 'Ce qui va s’exécuter',
  on: 'sur',
  reaches: 'Le serveur exécute',
  arguments: 'Arguments, exactement tels qu’ils serviront',
  none: 'L’outil est appelé sans arguments.',
  raw: 'Ces arguments ne peuvent pas être montrés en tableau. Voici le texte enregistré, complet et inchangé.',
  members: (kind, members) =>
    count(members, kind === 'list' ? { one: 'élément', other: 'éléments' } : { one: 'champ', other: 'champs' }),
  emptyText: 'texte vide',
  open: (size) => `Tout afficher : ${size}`,
  close: 'Afficher moins',
  end: (size) => `Fin de la valeur : ${size}`,
  openMembers: (values) => `Tout afficher : ${count(values, { one: 'valeur', other: 'valeurs' })}`,
  endMembers: (values) => `Fin de ${count(values, { one: 'valeur', other: 'valeurs' })}`,
  numberHost: (address) => `L’hôte est écrit comme un nombre. Il signifie ${address}.`,
  warnings,
};

export const url: typeof english.url = {
  title: 'L’adresse qui va s’ouvrir',
  none: 'Ce texte n’est pas une adresse qu’un navigateur puisse ouvrir.',
  warnings: {
    ...warnings,
    'not-https': 'Sans https : ce que vous y saisissez peut être lu et modifié en chemin.',
    'address-host': 'L’hôte est une adresse réseau nue, pas un nom.',
    port: 'Elle utilise un port inhabituel.',
  },
};

export const who: typeof english.who = {
  title: 'Demandé par',
  requester: 'Demandeur',
  client: 'Client MCP',
  clientNote: 'selon lui-même',
  noClient: 'Non indiqué',
  server: 'Serveur MCP',
  tool: 'Description de l’outil',
  hints: 'Indications de l’outil',
  audience: 'Décidé par',
  audiences: { requester: 'la personne qui demande, au client MCP', approvers: 'les personnes qui approuvent' },
};

export const nameHints: typeof english.nameHints = ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}) => {
  const hints = [
    readOnlyHint === undefined ? null : readOnlyHint ? 'Selon le serveur, ne fait que lire' : 'Modifie',
    destructiveHint === undefined ? null : destructiveHint ? 'Peut supprimer ou écraser' : 'Ne supprime rien',
    idempotentHint === undefined ? null : idempotentHint ? 'Répétable' : 'Non répétable',
    openWorldHint === undefined ? null : openWorldHint ? 'Effets à l’extérieur' : 'Sans effet à l’extérieur',
  ];
  return hints.filter((hint) => hint !== null).join(' · ');
};

export const why: typeof english.why = {
  title: 'Pourquoi',
  question: (server) => `Demande, dans les mots de ${server}`,
  agent: 'Motif de l’agent (non vérifié)',
  none: 'L’agent n’a pas donné de motif.',
};

export const policy: typeof english.policy = {
  title: 'Règle d’approbation',
  name: 'Politique',
  grant: 'Autorisé par une approbation permanente.',
  breakGlass: 'Approuvée contre la politique, par dérogation d’urgence.',
};

export const explanation: typeof english.explanation = {
  title: (policies) =>
    policies === 1 ? 'Pourquoi cette politique' : `Pourquoi cette politique, parmi ${number(policies)} qui conviennent`,
  passedOver: (policies) => `Les conditions de ${number(policies)} autres ne sont pas remplies :`,
  rule: (place) => `Règle ${number(place)} de`,
  decided: 'a décidé',
  why: {
    default: 'Aucune d’elles n’a décidé ; la règle intégrée s’applique donc.',
    together: 'Une condition n’a pas pu être évaluée ; ce que celles-ci exigent est donc additionné.',
    denial: 'Elle refuse, et un refus l’emporte sur tout le reste.',
    failed: 'Sa condition n’a pas pu être évaluée ; elle s’applique donc par sécurité.',
    only: 'C’est la seule dont les conditions soient remplies.',
    first:
      'Parmi les politiques dont les conditions sont remplies, elle vient en premier : la plus haute priorité l’emporte ; à égalité, ce qui exige une approbation l’emporte sur ce qui autorise, puis le nom décide.',
    next: 'Une politique avant elle autoriserait, mais ne peut pas autoriser cette demande ; la suivante a donc décidé.',
  },
  results: {
    applied: 's’applique, mais une autre a décidé',
    'not-applied': 'sa condition n’est pas remplie',
    failed: 'sa condition n’a pas pu être évaluée',
  },
  holds: { true: 'remplie', false: 'non remplie', unknown: 'inconnue' },
};

export const path: typeof english.path = {
  label: 'Avancement',
  states: {
    done: 'Fait',
    current: 'En cours',
    next: 'À suivre',
    ended: 'Terminé ici',
    skipped: 'Sautée',
  },
  phases: {
    'open.asking.requester.waiting': 'En attente de la personne qui demande',
    'open.asking.requester.visited': 'La personne qui demande a ouvert la page',
    'open.asking.approvers.scheduled': 'Début',
  },
  start: 'au plus tôt',
  missed: (names) => `avant ${all(names)}`,
  orEnds: (endings) => `ou ${any(endings.map((ending) => ending.toLowerCase()))}`,
  added: 'ajoutée par une personne qui approuve',
  complete: { all: 'Chaque groupe doit approuver.', any: 'Un groupe suffit.' },
  have: (have, need) => `${number(have)} sur ${count(need, approvals)}`,
  refusals: (refusals, deny) => `${number(refusals)} refus, ${number(deny)} ${deny === 1 ? 'y met' : 'y mettent'} fin`,
  meanings: {
    approved: 'comme approbation',
    reviewed: 'comme relu',
    responsible: 'comme responsable',
    witnessed: 'comme témoin',
  },
  anyone: 'En attente de toute personne qui peut voter',
  noOneLeft: 'Personne ne peut voter en ce moment.',
  tooFew: (names, needed) =>
    `Seulement ${all(names)} ${names.length === 1 ? 'peut' : 'peuvent'} voter en ce moment ; il faut encore ${count(needed, approvals)}.`,
  waitingFor: (names, more) => `En attente de ${any(more > 0 ? [...names, `${number(more)} autres`] : names)}`,
};

export const others: typeof english.others = {
  title: 'Votes',
  none: 'Aucun pour l’instant.',
  noneAtAll: 'Personne n’a voté.',
  accept: 'a approuvé',
  decline: 'a refusé',
  standsIn: (by, absent) => `${by} pour ${absent}`,
  voided: 'nul : la demande a changé ensuite',
  takenBack: 'retiré',
  allowed: (milliseconds) =>
    `et la même chose pendant ${duration(milliseconds)}, si toutes les personnes qui approuvent l’autorisent`,
};

export const changed: typeof english.changed = {
  title: 'Cette demande a changé pendant votre lecture. Rien n’a été décidé.',
  parts: {
    arguments: 'les arguments',
    message: 'la question',
    reason: 'le motif de l’agent',
    schema: 'le formulaire',
    url: 'l’adresse',
    tool: 'l’outil',
    requester: 'le demandeur',
    server: 'le serveur',
    policy: 'la politique',
  },
  changes: (parts) => `A changé : ${all(parts)}. `,
  note: 'La page montre la nouvelle version ; ce que vous avez saisi est gardé.',
  confirm: 'J’ai lu la nouvelle version',
};

export const result: typeof english.result = {
  approved: 'Approuvée. L’appel peut s’exécuter.',
  started: (time) => `Approuvée. Appel lancé à ${time}.`,
  approvalCounted: 'Votre approbation est comptée.',
  settling: 'Approuvée. L’appel s’exécute dans un instant, sauf si vous vous ravisez.',
  scheduled: 'Votre approbation est comptée. L’appel attend son heure de début.',
  counted: ({ need, have, stage, stages }) => {
    const after = stage < stages ? ' à cette étape, puis la suivante' : '';
    return `Votre approbation est comptée. L’appel attend encore ${count(need - have, { one: 'personne', other: 'personnes' })}${after}.`;
  },
  declineCounted: 'Votre vote contre est compté.',
  declined: 'Refusée. L’outil ne s’exécute pas.',
  cancelled: 'Demande retirée. L’outil ne s’exécute pas.',
  title: 'Résultat',
  next: 'Demande suivante',
  toInbox: 'Rien d’autre ne vous attend. Retour aux demandes à traiter',
  queueDone: 'Rien d’autre n’attend dans cette file. Retour aux demandes à traiter',
  looking: 'Recherche de la demande suivante',
  notCounted: (why) => `${why} Votre décision n’a pas été comptée.`,
  alreadyVoted: 'Vous avez déjà voté. Votre premier vote compte.',
  unsure:
    'Assentry était injoignable ; votre décision n’est peut-être pas arrivée. Cette page vérifie ; ce que vous avez saisi est gardé.',
  missing: 'Votre décision n’est pas arrivée et n’a rien décidé. Ce que vous avez saisi est gardé.',
  signedOut:
    'Votre session s’est terminée avant que cela arrive. Rien n’a été décidé ; ce que vous avez saisi est gardé.',
  answer: 'Réponse',
  receipt: 'Télécharger le reçu',
  receiptMeaning: 'Preuve signée de ce résultat, vérifiable hors ligne.',
  by: (names) => `par ${all(names)}`,
};

export const withoutContent: typeof english.withoutContent = {
  title: 'Ce que dit le journal',
  tool: 'Outil',
  policy: 'Politique',
  asked: 'Demandée',
  ended: 'Terminée',
  after: (when, duration) => `${when}, après ${duration}`,
  override: 'Dérogation d’urgence',
  votes: 'Votes',
  noVotes: 'Personne n’a voté.',
  vote: ({ name, action, when, after, isVoid }) =>
    `${name} ${action === 'accept' ? 'a approuvé' : 'a refusé'}, ${when}, après ${after}${isVoid ? ' ; ne compte plus' : ''}`,
  timeline: 'Déroulement et preuves',
};

export const look: typeof english.look = {
  withoutContent: 'Une demande dont vous n’avez pas lu le contenu',
  title: 'Dites pourquoi vous avez besoin de lire cette demande',
  note: 'Vous n’avez pas à approuver cette demande et ne répondez pas de son serveur. Si vous donnez un motif, vous pouvez la lire pendant une heure ; le journal l’enregistre.',
  reason: 'Votre motif, en dix caractères au moins',
  submit: 'Afficher la demande',
};
