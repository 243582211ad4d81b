import type * as english from './english-views.ts';

export const savedViews: typeof english.savedViews = {
  title: 'Vues',
  list: 'Vues enregistrées',
  none: 'Filtrez la liste, donnez-lui un nom, et retrouvez-la ici.',
  shared: 'Visible par tout le monde ici',
  by: (name) => `Partagée par ${name}`,
  unreadable: 'Cette vue ne peut pas être lue ici. Interrogez l’exploitation sur les secrets et la version de ce nœud.',
  share: { short: 'Partager', whole: (name) => `Partager « ${name} »` },
  unshare: { short: 'Ne plus partager', whole: (name) => `Ne plus partager « ${name} »` },
  rename: { short: 'Renommer', whole: (name) => `Renommer « ${name} »` },
  renameLabel: 'Nouveau nom',
  remove: { short: 'Supprimer', whole: (name) => `Supprimer « ${name} »` },
  unnamed: 'vue illisible',
  nameLabel: 'Nom de cette liste',
  save: 'Enregistrer la vue',
  keep: 'Enregistrer le nom',
  cancel: 'Annuler',
  noRight: 'Une vue n’est qu’un jeu de filtres. Chacun y voit ce qu’il peut voir de toute façon.',
  saved: 'Vue enregistrée.',
  changed: 'Vue modifiée.',
  removed: 'Vue supprimée.',
};
