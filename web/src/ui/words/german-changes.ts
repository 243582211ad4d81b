import type * as english from './english-changes.ts';

export const changes: typeof english.changes = {
  waiting: 'Wartet auf eine zweite Person der Administration',
  waitingNote: 'Mehr hat sich noch nicht geändert: Jemand anderes aus der Administration muss das annehmen.',
  open: 'Anfrage öffnen',
  alone: {
    trial: 'Erledigt.',
    'only-administrator':
      'Das gilt sofort: Sobald eine zweite Person der Administration ein Passwort gesetzt hat, nimmt eine von Ihnen an, was die andere möchte.',
  },
};

export const copying: typeof english.copying = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  failed: 'Der Browser hat das Kopieren verhindert. Markieren und kopieren Sie den Text selbst.',
};
