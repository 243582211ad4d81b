import { formatsIn } from '#platform/text/formats';
import type * as english from './english-keeping.ts';

const { all } = formatsIn('fr');

export const keeping: typeof english.keeping = {
  title: 'Conserver ou effacer',
  lead: 'Deux personnes de l’administration en décident ensemble. Les entrées du journal, les preuves et le reçu restent valables.',
  hold: 'Mettre en conservation légale',
  erase: 'Effacer le contenu',
  scope: 'Quoi',
  scopes: {
    request: 'Cette demande',
    requester: 'Tout ce que ce demandeur a demandé, sur tous les serveurs',
  },
  ground: 'Pourquoi',
  choices: {
    asked: 'Le demandeur l’a demandé',
    mistake: 'Cela n’aurait jamais dû se trouver ici',
    law: 'Une loi l’exige',
  },
  consequence:
    'Sa clé est détruite. Personne ne peut restaurer le contenu, sinon depuis des sauvegardes plus anciennes.',
  eraseNow: 'Effacer',
  reason: 'Affaire',
  reasonNote: 'Ce texte est enregistré lisible et n’est jamais effacé : nommez l’affaire, et personne.',
  holdNow: 'Conserver',
  held: 'Conservé. Rien n’en est effacé tant que la conservation dure.',
  close: 'Fermer',
  erased: (when, by) => `Effacé le ${when} par ${all(by)}`,
  grounds: {
    asked: 'Le demandeur l’a demandé.',
    mistake: 'Cela n’aurait jamais dû se trouver ici.',
    law: 'Une loi l’exige.',
    policy: 'La durée pendant laquelle sa politique garde le contenu était écoulée.',
  },
  left: 'Plus personne ne peut lire ce qu’elle demandait ni ce que des personnes ont écrit. Il reste qui a décidé, et quand.',
};
