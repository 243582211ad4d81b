import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number, percent } = formatsIn('fr');

export const words: typeof english.words = {
  lead: 'Combien a été décidé, comment cela s’est terminé et combien de temps cela a pris. Les jours sont en UTC.',
  reviewersOnly:
    'L’administration et les personnes chargées du contrôle voient les statistiques ; qui s’occupe d’un espace ou possède un serveur voit celles de ses serveurs.',
  space: 'Espace',
  everyServer: 'Tous les serveurs',
  ownServers: 'Tout ce que vous voyez',
  period: 'Période',
  periods: { 7: '7 jours', 30: '30 jours', 90: '90 jours', 365: 'Un an' },
  empty: 'Rien ne s’est terminé pendant cette période',
  emptyNote:
    'Choisissez une période plus longue. Les demandes comptent quand elles sont décidées, retirées ou expirées.',
  most: (requests) => `Jusqu’à ${count(requests, { one: 'demande', other: 'demandes' })}`,
  decisions: 'Décisions dans le temps',
  expiries: 'Expirations dans le temps',
  waits: 'Temps de décision',
  p50: 'La moitié en',
  p95: '95 % en',
  none: 'Aucune',
  tools: 'Issues par outil et serveur',
  tool: 'Outil',
  outcomes: 'Issues',
  rule: 'Règle',
  approvedOf: (share) => `${percent(share)} approuvées par des personnes`,
  makeRule: 'En faire une règle ?',
  hasty: (seconds) => `Décidées en moins de ${number(seconds)} secondes`,
  hastyNote:
    'Compté depuis que la personne a ouvert la demande. Les votes dans la messagerie ne comptent pas comme hâtifs.',
  hastyList: 'Voir chacun de ces votes',
  person: 'Personne',
  votes: 'Votes',
  hastyVotes: 'Hâtifs',
  share: 'Part',
  samples: 'Autorisées sans question, contrôlées plus tard',
  samplesNote: 'Tirées au sort par les politiques avec « sample ». La part ne compte que ce qui a été contrôlé.',
  samplesList: 'Contrôles par sondage',
  policy: 'Politique',
  allowed: 'Autorisées',
  drawn: 'Tirées',
  reviewed: 'Contrôlées',
  wrong: 'Auraient dû être demandées',
  signals: (signals) => count(signals, { one: 'point mérite un regard', other: 'points méritent un regard' }),
  noSignals: (run, spree, minutes, burst) =>
    `Rien ne sort de l’ordinaire : personne n’a émis ${number(run)} votes hâtifs de suite ni approuvé ${number(spree)} demandes en ${number(minutes)} minutes, et aucun outil n’a demandé ${number(burst)} fois en une minute.`,
  showThem: 'Les afficher',
  spree: (name, server, approvals, minutes, at) =>
    `${name} a approuvé ${number(approvals)} demandes${server === null ? '' : ` de ${server}`} en ${number(minutes)} minutes, jusqu’à ${at}.`,
  run: (name, server, votes, seconds, from, to) =>
    `${name} a émis ${number(votes)} votes de suite${server === null ? '' : ` sur des demandes de ${server}`}, chacun en moins de ${number(seconds)} secondes, de ${from} à ${to}.`,
  burst: (tool, server, requests, at) =>
    `${tool} de ${server} a demandé ${number(requests)} fois dans la minute de ${at}.`,
};
