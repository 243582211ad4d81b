import type { Permission } from '#people/directory/contract/permission';
import type * as english from './english.ts';

const permissions: Record<Permission, string> = {
  decide: 'Décider des demandes que les politiques lui confient',
  'tend-requests':
    'Retirer des demandes illisibles, mettre fin aux délégations d’autres personnes, supprimer les listes partagées ; qui décide révoque aussi des approbations, et termine et prolonge les demandes d’autres étapes',
  'watch-requests': 'Trouver toute demande, et la lire en donnant un motif',
  'read-log': 'Lire le journal, ses rapports et les statistiques',
  'change-directory': 'Modifier les personnes, les groupes et les responsables de serveurs',
  'change-space': 'Modifier qui a quel rôle dans un espace',
  'read-tools': 'Voir les outils des serveurs',
  'change-keys': 'Créer, renouveler et révoquer des clés de serveurs',
  'change-webhooks': 'Modifier les webhooks, et voir l’état du système',
  'stop-calls': 'Arrêter des outils et des serveurs, et lever des arrêts',
  'write-policies': 'Écrire et relire des politiques',
  'publish-policies': 'Publier des politiques relues',
  'hold-content': 'Décider et terminer des conservations légales, et effacer du contenu',
};

const nameOf = (permission: string): string => permissions[permission as Permission] ?? permission;

export const roles: typeof english.roles = {
  title: 'Rôles',
  lead: 'Vos propres rôles, à côté de ceux qui sont intégrés : ce qu’ils permettent vaut partout. Accepter les changements de pouvoir reste à l’administration.',
  empty: 'Aucun rôle propre',
  emptyNote: 'Chaque personne a l’un des rôles intégrés.',
  name: 'Nom',
  nameNote: 'Minuscules, chiffres et tirets, par exemple key-keeper. Il ne peut pas être changé.',
  people: 'Personnes',
  permits: (permitted) => `Permet : ${permitted.map(nameOf).join(' ; ')}.`,
  permissions: 'Droits',
  permission: nameOf,
  newTitle: 'Nouveau rôle',
  create: 'Créer le rôle',
  missing: 'Rôle introuvable',
  missingNote: 'Aucun rôle n’a cet ID.',
  count: (people) => (people === 1 ? 'Une personne a ce rôle.' : `${people} personnes ont ce rôle.`),
  editNote: 'Toutes les personnes qui ont ce rôle sont concernées tout de suite.',
  save: 'Enregistrer',
  remove: 'Supprimer le rôle',
  removeNote: 'Donnez d’abord un autre rôle à ses personnes, et modifiez les politiques qui le nomment.',
  removeNow: (name) => `Supprimer ${name}`,
  saved: 'Enregistré.',
  removed: 'Supprimé.',
};
