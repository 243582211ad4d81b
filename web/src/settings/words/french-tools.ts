import { formatsIn } from '#platform/text/formats';
import type * as english from './english-tools.ts';

const { number } = formatsIn('fr');

export const servers: typeof english.servers = {
  title: 'Serveurs',
  lead: 'Serveurs MCP qui peuvent créer des demandes. Les politiques peuvent interroger la personne qui répond d’un serveur.',
  filter: 'Trouver un serveur',
  filterNote: 'Par nom, avec ses clés',
  noMatch: 'Aucun serveur ne correspond.',
  table: 'Serveurs',
  name: 'Serveur',
  owner: 'Responsable',
  ownerOf: (name) => `Responsable de ${name}`,
  empty: 'Pas encore de serveur',
  emptyNote: 'Un serveur apparaît ici avec sa première clé. Créez-en une ci-dessous.',
};

export const tools: typeof english.tools = {
  lead: 'Ses outils, ce que sont devenues les demandes à leur sujet ces 30 derniers jours, et ce que vos politiques disent d’un appel.',
  table: 'Outils',
  empty: 'Pas encore d’outil',
  emptyNote: 'Un outil apparaît ici quand la passerelle l’a vu, ou après la première demande à son sujet.',
  name: 'Outil',
  readOnly: 'Dit qu’il ne fait que lire',
  destructive: 'Dit qu’il peut détruire des données',
  definition: 'Définition',
  unseen: 'Pas derrière la passerelle',
  seen: 'Vu',
  changed: 'Modifié, et bloqué jusqu’à ce que quelqu’un l’accepte',
  difference: 'Lire la différence et décider',
  noRequest: 'La passerelle interroge qui approuve quand un client liste de nouveau les outils.',
  outcomes: 'Demandes',
  noOutcomes: 'Aucune',
  counts: {
    open: (requests) => `${number(requests)} ouvertes`,
    accepted: (requests) => `${number(requests)} approuvées`,
    declined: (requests) => `${number(requests)} refusées`,
    cancelled: (requests) => `${number(requests)} annulées`,
    expired: (requests) => `${number(requests)} expirées`,
  },
  passed: 'Les appels qu’une politique laisse passer parce qu’ils ne font que lire sont dans le journal, pas ici.',
  rule: 'Maintenant',
  rules: { allow: 'Libre', requester: 'Interroge qui demande', require: 'Retenu', deny: 'Refusé' },
  varies: 'Selon l’appel',
  by: (policy) => `par ${policy}`,
  unknown: 'Inconnu',
  change: 'Changer par un brouillon',
  changeOf: (tool) => `Brouillon pour ${tool}`,
  choose: 'Choisir…',
  freeLater: 'Libre : impossible, il dit qu’il peut détruire des données',
  drafted: 'Brouillon enregistré. Rien ne change tant qu’il n’est pas publié.',
  openDraft: (policy) => `Ouvrir le brouillon ${policy}`,
};
