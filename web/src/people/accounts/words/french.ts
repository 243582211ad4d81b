import type { PairAnswer, PairSign } from '#people/accounts/contract';

const signs: Record<PairSign, string> = {
  mailbox: 'Une même boîte aux lettres. Hors essai, ils comptent une fois jusqu’à ce que quelqu’un décide.',
  'mailbox-hint':
    'Un fournisseur qui ne peut pas parler pour le domaine leur attribue une même boîte aux lettres. Ils comptent séparément jusqu’à ce que quelqu’un décide.',
  name: 'Un même nom. Ils comptent séparément jusqu’à ce que quelqu’un décide.',
  'address-elsewhere': 'Une même adresse dans deux domaines. Ils comptent séparément jusqu’à ce que quelqu’un décide.',
};

const answers: Record<PairAnswer, string> = {
  'one-person': 'Une personne, qui compte une fois.',
  'two-people': 'Deux personnes, qui comptent séparément.',
};

/** The words for accounts that are or may be of one person. */
export const pairs = {
  title: 'Une ou deux personnes',
  lead: 'Un quorum compte des personnes physiques. Dites si ces comptes appartiennent à une seule personne.',
  none: 'Aucun compte ne semble appartenir à une même personne.',
  noneOf: 'C’est le seul compte de cette personne, d’après ce qui a été décidé.',
  sign: (sign: PairSign): string => signs[sign],
  answer: (answer: PairAnswer): string => answers[answer],
  onePerson: 'Une personne',
  twoPeople: 'Deux personnes',
  undecided: 'Annuler',
  another: 'Un autre compte de cette personne',
  about: (first: string, second: string): string => `${first} et ${second}`,
};
