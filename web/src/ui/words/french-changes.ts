import type * as english from './english-changes.ts';

export const changes: typeof english.changes = {
  waiting: 'Attend une deuxième personne de l’administration',
  waitingNote: 'Rien d’autre n’a encore changé : quelqu’un d’autre de l’administration doit l’accepter.',
  open: 'Ouvrir la demande',
  alone: {
    trial: 'C’est fait.',
    'only-administrator':
      'Cela a pris effet tout de suite : dès qu’une deuxième personne de l’administration aura défini un mot de passe, l’une acceptera ce que l’autre demande.',
  },
};

export const copying: typeof english.copying = {
  copy: 'Copier',
  copied: 'Copié',
  failed: 'Le navigateur a bloqué la copie. Sélectionnez le texte et copiez-le vous-même.',
};
