import type * as english from './english-views.ts';

export const savedViews: typeof english.savedViews = {
  title: 'Ansichten',
  list: 'Gespeicherte Ansichten',
  none: 'Filtern Sie die Liste und geben Sie ihr einen Namen; dann finden Sie sie hier wieder.',
  shared: 'Alle hier finden sie',
  by: (name) => `Geteilt von ${name}`,
  unreadable:
    'Diese Ansicht ist hier nicht lesbar. Fragen Sie den Betrieb nach den Geheimnissen und der Version dieses Knotens.',
  share: { short: 'Teilen', whole: (name) => `„${name}“ teilen` },
  unshare: { short: 'Nicht mehr teilen', whole: (name) => `„${name}“ nicht mehr teilen` },
  rename: { short: 'Umbenennen', whole: (name) => `„${name}“ umbenennen` },
  renameLabel: 'Neuer Name',
  remove: { short: 'Entfernen', whole: (name) => `„${name}“ entfernen` },
  unnamed: 'nicht lesbare Ansicht',
  nameLabel: 'Name für diese Liste',
  save: 'Ansicht speichern',
  keep: 'Namen speichern',
  cancel: 'Abbrechen',
  noRight: 'Eine Ansicht besteht nur aus Filtern. Alle sehen darin, was sie ohnehin sehen dürfen.',
  saved: 'Ansicht gespeichert.',
  changed: 'Ansicht geändert.',
  removed: 'Ansicht entfernt.',
};
