import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number } = formatsIn('fr');

const newRequests = (arrived: number): string =>
  count(arrived, { one: 'nouvelle demande', other: 'nouvelles demandes' });

const newNames = { payee: 'Nouveau bénéficiaire', host: 'Nouvel hôte', path: 'Nouveau chemin' };

export const words: typeof english.words = {
  viewsLabel: 'Quelles demandes',
  views: { mine: 'Pour moi', all: 'Ouvertes' },
  filtersLabel: 'Filtres',
  moreFilters: (inForce) => (inForce === 0 ? 'Filtres' : `Filtres (${number(inForce)})`),
  searching: 'Recherche en cours…',
  search: 'Chercher',
  searchNote: 'Outil, serveur, politique, votant, ID',
  sealedNote:
    'Recherche dans : noms des outils, des serveurs et des politiques, personnes qui ont voté, et ID. Les messages, les arguments et les demandeurs sont scellés et ne sont pas cherchés ; pour trouver un demandeur, saisissez son nom entier dans le champ « Demandeur ».',
  policy: 'Politique',
  anyPolicy: 'Toutes les politiques',
  group: 'Groupe',
  anyGroup: 'Tous les groupes',
  requesterLabel: 'Demandeur',
  requesterNote:
    'Le nom entier du demandeur, comme les demandes le montrent. Seules les demandes que vous pouvez lire sont trouvées.',
  server: 'Serveur',
  tool: 'Outil',
  status: 'Issue',
  order: 'Trier par',
  risk: 'Risque',
  anyRisk: 'Tout risque',
  from: 'Terminées à partir du',
  fromShort: 'du',
  until: 'Terminées jusqu’au',
  untilShort: 'au',
  anyServer: 'Tous les serveurs',
  anyTool: 'Tous les outils',
  anyStatus: 'Toute issue',
  orders: { deadline: 'Échéance', risk: 'Risque', newest: 'Plus récentes' },
  clear: 'Effacer les filtres',
  inForce: 'Filtres en vigueur',
  filter: (name, value) => `${name} : ${value}`,
  takeBack: (text) => `${text} : retirer ce filtre`,
  asCsv: 'Télécharger en CSV',
  asJson: 'Télécharger en JSON',
  list: 'Demandes',
  loading: 'Chargement des demandes',
  yourTurn: 'Vous attend',
  reminded: 'Rappelée',
  signal: (signal) => {
    if (signal.kind === 'reaches') return 'Serveur modifié';
    if (signal.kind === 'unchecked') return 'Non vérifié';
    if (signal.kind === 'new') return newNames[signal.what];
    return signal.kind === 'amount' ? `${number(signal.times)} × l’habituel` : 'Outil modifié';
  },
  gone: 'N’est plus dans cette liste',
  requester: 'demandé par',
  runs: 'Exécute',
  unread: 'Contenu visible en donnant un motif',
  votedBy: (names) => `Votes : ${names.join(', ')}`,
  within: (duration) => `en ${duration}`,
  erased: 'Son contenu a été effacé.',
  unreadable: 'Cette demande ne peut pas être lue. Ouvrez-la pour voir pourquoi.',
  start: 'Premiers pas : relier un serveur et envoyer une demande d’essai',
  more: 'En charger plus',
  live: 'En direct',
  polling: 'Reconnexion, actualisation toutes les 15 secondes',
  arrived: newRequests,
  reminders: (reminders) => count(reminders, { one: 'rappel', other: 'rappels' }),
  show: (arrived) => `Afficher ${newRequests(arrived)}`,
  select: (name) => `Sélectionner ${name}`,
  declineAll: 'Tout refuser…',
};

export const emptyStates: typeof english.emptyStates = {
  mine: {
    title: 'Rien ne vous attend',
    note: 'Quand un agent appelle un outil qui a besoin de votre approbation, la demande apparaît ici.',
  },
  all: {
    title: 'Aucune demande ouverte',
    note: 'Toutes les demandes non décidées apparaissent ici, même celles que d’autres doivent décider.',
  },
  done: {
    title: 'Pas encore d’historique',
    note: 'Les demandes arrivent ici quand elles sont décidées, retirées ou expirées.',
  },
  filtered: { title: 'Aucune demande ne correspond', note: 'Effacez les filtres pour voir toute la liste.' },
};

export const splitView: typeof english.splitView = {
  list: 'Liste des demandes',
  request: 'Demande ouverte',
  nothing: 'Aucune demande n’est ouverte',
  how: 'Choisissez-en une à gauche, ou appuyez sur j, puis o. Vous pouvez désactiver cette vue dans votre profil.',
};
