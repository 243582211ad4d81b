import { formatsIn } from '#platform/text/formats';
import type * as english from './english-together.ts';

const { count, number } = formatsIn('fr');

export const together: typeof english.together = {
  bar: 'Demandes sélectionnées',
  chosen: (chosen) => count(chosen, { one: 'sélectionnée', other: 'sélectionnées' }),
  go: 'Examiner ensemble',
  all: 'Sélectionner toutes celles de cet outil',
  clear: 'Effacer la sélection',
  title: 'Examiner ensemble',
  titleOf: (total, tool) => `${number(total)} × ${tool}`,
  lead: 'Lisez ce qui diffère. Un clic décide toutes celles qui sont cochées, et chacune a son propre vote dans le journal.',
  loading: 'Chargement des demandes',
  list: 'Demandes à décider',
  requester: 'demandé par',
  open: 'Ouvrir',
  openOf: (row, subject) => `Ouvrir la demande ${number(row)} de ${subject}`,
  missing: (missing) =>
    `${number(missing)} n’${missing === 1 ? 'a pas pu être chargée et est laissée' : 'ont pas pu être chargées et sont laissées'} de côté.`,
  none: 'Aucune de celles-ci ne peut être approuvée avec les autres. Ouvrez-les une par une, ou refusez-les.',
  included: 'Décider',
  include: (row) => `Décider la demande ${number(row)} avec les autres`,
  requesterColumn: 'Demandé par',
  sentence: 'Question',
  timeLeft: 'Temps restant',
  request: 'Demande',
  decide: 'Votre décision',
  comment: 'Commentaire',
  commentNote: 'Vaut pour toutes. Nécessaire pour refuser. Visible par les agents et les demandeurs.',
  commentMissing: 'Dites pourquoi vous refusez, pour que les agents et les demandeurs sachent quoi changer.',
  consequence:
    'Votre vote compte pour chaque demande : un appel s’exécute quand il a toutes ses approbations, et prend fin quand trop de personnes ont refusé. Une demande qui a changé depuis que vous l’avez lue est sautée.',
  approve: (total) => (total === 1 ? 'L’approuver' : `Approuver les ${number(total)}`),
  decline: (total) => (total === 1 ? 'La refuser' : `Refuser les ${number(total)}`),
  sending: 'Vos votes sont en cours d’envoi.',
  done: (done, total) =>
    done === total
      ? total === 1
        ? 'Votre vote est compté.'
        : `Vos ${number(total)} votes sont comptés.`
      : `${number(done)} sur ${count(total, { one: 'vote compté', other: 'votes comptés' })}.`,
  counted: 'Votre vote est compté. En attente des autres.',
  backToInbox: 'Retour aux demandes à traiter',
  apart: 'Approuvez celles-ci une par une ; un refus les emporte avec les autres',
  reasons: {
    'high-risk': 'Elle est à haut risque.',
    'not-mine': 'Vous ne pouvez pas voter dessus en ce moment.',
    'other-tool': 'Elle concerne un autre outil.',
    'other-policy': 'Une autre politique s’y applique.',
    form: 'Elle demande une réponse.',
    url: 'Elle ouvre une adresse.',
    long: 'Elle a de longues valeurs qu’il faut ouvrir.',
    proof: 'Sa politique vous fait prouver votre identité pour chacune.',
    typed: 'Sa politique vous fait saisir ce qui est en jeu.',
  },
};

export const declineAll: typeof english.declineAll = {
  title: 'Refuser tout ce qui correspond',
  lead: 'Refuser est sûr à tout niveau de risque : chaque demande a son propre vote dans le journal, avec un seul motif.',
  everything: 'Tout ce qui vous attend, sans filtre.',
  matching: (filters) => `Ce qui correspond : ${filters.join(' · ')}`,
  nothing: 'Rien de ce sur quoi vous pouvez voter ne correspond.',
  times: (total) => `${number(total)} ×`,
  cut: (most) => `Il y en a davantage : ceci prend les ${number(most)} premières.`,
  reason: 'Motif',
  reasonNote: 'Nécessaire. Visible par les agents et les demandeurs de toutes.',
  decline: (total) => (total === 1 ? 'La refuser' : `Refuser les ${number(total)}`),
  stop: 'Arrêter',
  progress: (done, total) => `${number(done)} sur ${number(total)} envoyées.`,
  done: (done, total) => `${number(done)} sur ${number(total)} refusées par vous.`,
  left: (left) =>
    left === 1 ? '1 demande laissée comme elle était.' : `${number(left)} demandes laissées comme elles étaient.`,
  refused: (refused) =>
    `${count(refused, { one: 'demande n’a pas pu être refusée', other: 'demandes n’ont pas pu être refusées' })}`,
};
