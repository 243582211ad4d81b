import type { TimelineActor, TimelineEvent } from '#requests/inbox/contract/inbox';
import { channels, isChat } from '#notify/chat/contract';
import type { NotificationChannel, NotificationKind } from '#notify/contract/notification';
import type { Action } from '#requests/asking/contract/elicitation';
import { frenchRefusals } from '#messages/french-display';
import type { Meaning } from '#requests/voting/contract/quorum';
import { formatsIn } from '#platform/text/formats';
import type * as english from './english-timeline.ts';

const { all, number } = formatsIn('fr');

type Erasure = Extract<TimelineEvent, { type: 'content.erased' }>;

export const history: typeof english.history = { title: 'Déroulement' };

export const formatEvent: typeof english.formatEvent = (by, event) =>
  (sentences[event.type] as (who: string, event: TimelineEvent) => string)(nameActor(by), event);

const sentences: english.Sentences = {
  'elicitation.answered': formatAnswer,
  'elicitation.voted': (who, event) => `${who} ${formatVote(event)}`,
  'elicitation.decided': (who, event) => `${who} l’a ${event.action === 'accept' ? 'autorisée' : 'refusée'}`,
  'elicitation.votes-voided': (who, event) => `${event.user ?? gone} ne peut plus voter ici ; le vote est nul`,
  'elicitation.edited': (who, event) =>
    `${who} a modifié la demande (révision ${number(event.revision)}) ; les votes précédents sont nuls`,
  'elicitation.approver-added': (who, event) => `${who} a ajouté ${event.user ?? gone} pour approuver`,
  'elicitation.watched': (who, event) => (event.isWatching ? `${who} l’examine` : `${who} ne l’examine plus`),
  'elicitation.informed': (who, event) =>
    `${who} a transmis la réponse du demandeur${event.channel === 'told' ? ', selon l’agent' : ''}`,
  'break-glass.reviewed': (who, event) =>
    `${who} a examiné la dérogation d’urgence : ${event.isJustified ? 'justifiée' : 'injustifiée'}`,
  'look-back.reviewed': (who, event) =>
    `${who} l’a contrôlée après coup : ${event.shouldHaveAsked ? 'il aurait fallu demander' : 'c’était bien ainsi'}`,
  'elicitation.cancelled': (who, event) =>
    event.isStopped ? `${who} y a mis fin par un arrêt` : cancelled[event.cause](who),
  'content.erased': (who, event) => `${who} a effacé le contenu${grounds[event.ground]}`,
  'call.lapsed': (who, event) => `L’approbation n’était plus valable au moment de servir : ${formatLapse(event)}`,
  'call.applied': (who, event) =>
    event.refused === null
      ? 'La modification a été faite'
      : `La modification n’a pas été faite : ${frenchRefusals[event.refused]}`,
  'elicitation.caller': (who, event) =>
    event.caller === 'gone' ? 'L’appelant s’est déconnecté ; il peut revenir' : 'L’appelant est revenu',
  'elicitation.escalated': (who, event) => {
    if (event.to !== 'open') return 'Personne n’a décidé : la demande a été refusée';
    return event.inPlace === null
      ? 'Personne n’a décidé : d’autres peuvent voter maintenant'
      : `Personne n’a décidé : ${event.inPlace} prend la place de l’étape, et le vote recommence`;
  },
  'elicitation.postponed': (who) => `${who} a changé l’heure de début`,
  'elicitation.extended': (who) => `${who} a prolongé l’échéance`,
  'grant.revoked': (who, event) => `${who} a mis fin à l’approbation permanente ${event.grant}`,
  'grant.suspended': (who, event) => `L’outil a changé : l’approbation permanente ${event.grant} est suspendue`,
  'grant.reviewed': (who, event) => `${who} a confirmé l’approbation permanente ${event.grant}`,
  'elicitation.opened': (who) => `${who} a fait la demande`,
  'elicitation.visited': (who) => `${who} a ouvert la page comme demandeur`,
  'elicitation.vote-withdrawn': (who) => `${who} a retiré son vote`,
  'elicitation.commented': (who) => `${who} a commenté`,
  'elicitation.inquired': (who) => `${who} a interrogé le demandeur`,
  'access.looked': (who) => `${who} l’a lue et a donné un motif`,
  'elicitation.break-glass': (who) => `${who} l’a approuvée contre la politique, par dérogation d’urgence`,
  'elicitation.reminded': () => 'Rappel envoyé',
  'elicitation.started': () => 'Heure de début atteinte',
  'elicitation.expired': () => 'Expirée : personne n’a décidé à temps',
  'call.claimed': (who) => `${who} a lancé l’outil`,
  'call.released': (who) => `${who} a rendu l’appel avant de lancer l’outil`,
  'call.mismatched': (who) => `${who} allait exécuter autre chose que l’approuvé ; rien ne s’est exécuté`,
  'call.revoked': (who) => `${who} a révoqué l’approbation avant qu’elle serve`,
  'call.completed': () => 'L’outil a terminé ; son résultat est gardé pour l’appelant',
  'page.moved': (who) => `${who} a ouvert la page dans un autre navigateur, qui remplace le premier`,
  'callback.late': () => 'Un service a répondu après la fin ; aucun appel ne l’a reçu',
  'callback.unfit': () => 'Un service a envoyé une réponse qui ne convient pas ; elle n’a pas été prise',
  'call.settled': () => 'L’appelant a reçu le résultat',
};

export const formatDelivery: typeof english.formatDelivery = ({ channel, kind, state, to }) => {
  const way = isChat(channel) ? `dans ${channels[channel].label}` : ways[channel];
  const former = formerly[isChat(channel) ? 'email' : channel];
  const whom = `${all([...new Set(to.map((name) => name ?? former))])} ${way}`;
  return `${state === 'sent' ? `Assentry a prévenu ${whom}` : `Assentry n’a pas pu prévenir ${whom} et a renoncé`} : ${news[kind]}`;
};

const formerly = {
  email: 'une personne partie depuis',
  push: 'quelqu’un',
  webhook: 'un destinataire supprimé',
} satisfies Record<string, string>;

const ways = {
  email: 'par e-mail',
  push: 'dans le navigateur',
  webhook: 'par webhook',
} satisfies Partial<Record<NotificationChannel, string>>;

const news = {
  turn: 'une décision est nécessaire',
  reminder: 'une décision est toujours nécessaire',
  outcome: 'comment cela s’est terminé',
  review: 'une politique à relire',
  key: 'une clé qui expire',
  tool: 'un outil qui a changé',
  members: 'des membres à confirmer',
  report: 'une réponse qu’aucun appel n’a reçue',
  'sign-in': 'une connexion modifiée',
  link: 'un lien pour un mot de passe',
  test: 'un test',
} satisfies Record<NotificationKind, string>;

const grounds = {
  asked: ' : le demandeur l’a demandé',
  mistake: ' : il n’aurait jamais dû se trouver ici',
  law: ' : une loi l’exige',
  policy: ' : la durée de conservation est écoulée',
} satisfies Record<Erasure['ground'], string>;

function formatLapse({ user, policy, grant }: Extract<TimelineEvent, { type: 'call.lapsed' }>): string {
  if (policy !== null) return `${policy} la refuse maintenant`;
  if (grant !== null) return `l’approbation permanente ${grant} a pris fin`;
  return `${user?.name ?? 'une personne qui avait approuvé'} ne peut plus voter`;
}

const gone = 'Une personne partie depuis';

export const nameActor: typeof english.nameActor = (actor: TimelineActor) => {
  if (actor.kind === 'policy')
    return `La politique ${actor.policy}${actor.grant === null ? '' : `, par l’approbation permanente ${actor.grant},`}`;
  return 'name' in actor ? (actor.name ?? gone) : actors[actor.kind];
};

const actors = {
  requester: 'Le demandeur',
  service: 'Le service externe',
  timer: 'Assentry',
  directory: 'L’annuaire',
  operator: 'L’exploitation',
  provider: 'Un fournisseur d’identité',
  stranger: 'Une personne inconnue',
};

type Vote = Extract<TimelineEvent, { type: 'elicitation.voted' }>;

function formatVote({ action, for: absent, meanings, issuer, keyMaker, inChat }: Vote): string {
  const verb = action === 'accept' ? 'a approuvé' : 'a refusé';
  return `${verb}${absent === null ? '' : ` pour ${absent.name ?? gone}`}${formatMeanings(meanings)}${inChat ? ' dans la messagerie' : ''}${issuer === null ? '' : `, connecté grâce à ${issuer.name ?? gone}`}${keyMaker === null ? '' : ` ; la clé qui a demandé a été créée par ${keyMaker.name ?? gone}`}`;
}

/** A plain approval needs no words. */
const formatMeanings = (meanings: Meaning[]): string =>
  meanings.every((meaning) => meaning === 'approved') ? '' : ` (${all(meanings.map((meaning) => signed[meaning]))})`;

const signed: Record<Meaning, string> = {
  approved: 'approbation',
  reviewed: 'relu',
  responsible: 'responsable',
  witnessed: 'témoin',
};

const answers: Record<Action, string> = { accept: 'acceptée', decline: 'refusée', cancel: 'écartée' };

function formatAnswer(who: string, event: Extract<TimelineEvent, { type: 'elicitation.answered' }>): string {
  const answer = answers[event.action];
  switch (event.channel) {
    case 'relayed':
      return `${who} a transmis la réponse du demandeur : ${answer}`;
    case 'told':
      return `${who} a transmis la réponse du demandeur, selon l’agent : ${answer}`;
    case 'callback':
      return `${who} a annoncé le résultat : ${answer}`;
    case 'page':
      return event.to === 'open' ? `${who} a accepté d’aller à l’adresse` : `${who} a répondu sur la page : ${answer}`;
  }
}

const cancelled = {
  user: (who: string) => `${who} a annoncé que le demandeur l’a écartée`,
  superseded: () => 'Une demande plus récente l’a remplacée',
  caller_gone: (who: string) => `${who} l’a retirée parce que l’appelant était parti`,
  admin: (who: string) => `${who} a annulé la demande`,
};
