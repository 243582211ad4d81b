import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count } = formatsIn('fr');

export const times: typeof english.times = {
  now: 'à l’instant',
  ago: (text) => `il y a ${text}`,
  ahead: (text) => `dans ${text}`,
  days: 'j',
  hours: 'h',
  minutes: 'min',
  seconds: 's',
};

export const drafts: typeof english.drafts = {
  notNumber: 'Saisissez un nombre avec des chiffres et un point au plus, par exemple 1250.50.',
};

export const permissions: typeof english.permissions = {
  own: 'Vous ne pouvez pas changer cela pour vous-même. Adressez-vous à l’administration ou à l’exploitation.',
  signedOut: 'Votre session est terminée.',
};

export const answers: typeof english.answers = {
  unknown: 'Une erreur s’est produite sur cette page. Rien n’a été décidé.',
  unavailable: 'La base de données est injoignable en ce moment. Réessayez dans un instant.',
  conflict: 'Trop de modifications sont arrivées ensemble. Rien n’a été modifié ; réessayez.',
  invalid: 'Non envoyé : vérifiez les champs marqués.',
  unreadable: 'Assentry a envoyé quelque chose que cette page ne peut pas lire. Rechargez la page.',
  signedOut: 'Votre session est terminée. Reconnectez-vous.',
};

export const amounts: typeof english.amounts = {
  characters: (characters) => count(characters, { one: 'caractère', other: 'caractères' }),
  inLines: (size, lines) => `${size} sur ${count(lines, { one: 'ligne', other: 'lignes' })}`,
};

/** A no-break space: no line begins with a colon. */
export const colon: string = '\u00a0:';
