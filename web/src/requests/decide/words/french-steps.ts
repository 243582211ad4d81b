import { formatsIn } from '#platform/text/formats';
import type * as english from './english-steps.ts';

const { all, count, duration, number } = formatsIn('fr');

export const revisions: typeof english.revisions = {
  title: 'Modifications par les personnes qui approuvent',
  note: 'La version la plus récente s’exécute. Les votes d’avant une modification ne comptent pas.',
  before: 'Avant',
  after: 'Maintenant',
};

export const editing: typeof english.editing = {
  open: 'Modifier les arguments',
  title: 'Modifier ce qui va s’exécuter',
  note: 'Tous les votes émis deviennent nuls, le vôtre aussi, et les politiques s’appliquent à l’appel modifié. Qui vote voit ce que vous avez changé.',
  save: 'Enregistrer et recommencer',
  close: 'Abandonner',
  done: 'L’appel est modifié. Il a de nouveau besoin de toutes ses approbations.',
  faulty: 'Corrigez d’abord les champs marqués.',
  unchanged: 'Vous n’avez encore rien changé.',
};

export const discussion: typeof english.discussion = {
  title: 'Discussion',
  none: 'Pas encore de commentaire.',
  requester: 'Le demandeur',
  kinds: { comment: 'a commenté', question: 'a interrogé le demandeur', reply: 'a répondu' },
  told: 'Selon l’agent : rien ne prouve que le demandeur ait été interrogé.',
  refused: 'Il a refusé de répondre.',
  waiting: 'Le demandeur n’a pas encore répondu.',
  label: 'Commenter, ou interroger le demandeur',
  note: 'Les commentaires sont pour les personnes qui décident. Les questions vont au demandeur, et la réponse apparaît ici. Ni les uns ni les autres ne décident quoi que ce soit.',
  comment: 'Commenter',
  commented: 'Commentaire ajouté.',
  ask: 'Interroger le demandeur',
  asked: 'Question envoyée au demandeur.',
  empty: 'Écrivez d’abord quelque chose.',
};

export const revoking: typeof english.revoking = {
  revoke: 'Révoquer l’approbation',
  note: 'L’appel n’a pas commencé. Une fois révoquée, l’approbation ne libère rien, et le prochain appel redemande.',
  done: 'Approbation révoquée. L’outil ne s’exécutera pas.',
  lapses: {
    revoked: 'L’approbation a été révoquée avant de servir. L’outil ne s’est pas exécuté.',
    lapsed: 'L’approbation n’était plus valable au moment de servir. L’outil ne s’est pas exécuté.',
  },
};

export const more: typeof english.more = {
  noReviewer: 'Personne n’examine encore cela.',
  mine: 'Les autres voient que vous l’examinez.',
  reviewing: (name) => `${name} l’examine. Vous pouvez quand même décider.`,
  take: 'Je m’en occupe',
  held: 'Les autres voient maintenant que vous l’examinez.',
  release: 'Laisser',
  letGo: 'Il n’est plus indiqué que vous l’examinez.',
  voted: 'Vous avez voté sur cette demande.',
  withdraw: 'Retirer mon vote',
  withdrawn: 'Votre vote est retiré.',
  takeBack: (seconds) => `Se raviser (${number(seconds)} s)`,
  addApprover: 'Ajouter une personne qui approuve',
  addApproverNote: 'Elle doit approuver aussi, après cette étape. Toutes les autres restent nécessaires.',
  chooseFirst: 'Choisissez d’abord une personne.',
  add: 'Ajouter',
  approverAdded: 'Personne ajoutée.',
  postpone: 'Ne pas commencer avant',
  postponeNote: (zone) => `Avant l’échéance. Dans votre fuseau horaire : ${zone}`,
  timeFirst: 'Choisissez d’abord une heure.',
  setStart: 'Fixer l’heure de début',
  postponed: 'Heure de début fixée.',
  close: 'Fermer',
};

const risks: Record<string, string> = { low: 'faible', medium: 'moyen', high: 'élevé' };

export const allowing: typeof english.allowing = {
  label: 'Si vous approuvez',
  once: 'Seulement cette fois',
  lasting: (milliseconds) => `Et le même appel sans question, pendant ${duration(milliseconds)}`,
  bounds: ({ same, uses, budget, ceiling }) => {
    const bounds = [
      same.length === 0 ? 'mêmes arguments' : `même valeur de ${all(same)}`,
      ...(uses === null ? [] : [`${count(uses, { one: 'usage', other: 'usages' })} au plus`]),
      ...(budget === null ? [] : [`${budget.argument} jusqu’à ${number(budget.total)} en tout`]),
      `jamais au-dessus d’un risque ${risks[ceiling] ?? ceiling}`,
    ];
    return `« Le même » veut dire : même demandeur et même outil, ${bounds.join(', ')}. Toutes les personnes qui approuvent doivent l’autoriser, la durée la plus courte compte, et on peut y mettre fin à tout moment.`;
  },
};

export const breakGlass: typeof english.breakGlass = {
  title: 'Dérogation d’urgence',
  lead: 'Si attendre la politique causait un dommage, vous pouvez approuver malgré elle. En dernier recours seulement.',
  open: 'Dérogation d’urgence…',
  consequences: [
    'L’appel s’exécute tout de suite, exactement comme montré, sans les approbations manquantes.',
    'Tout le monde dans cette console l’apprend.',
    'Quelqu’un d’autre l’examine, avec votre motif.',
  ],
  reason: 'Pourquoi cela ne peut pas attendre',
  reasonNote: 'Au moins 20 caractères. Gardé dans le journal.',
  reasonMissing: (characters) =>
    `Dites pourquoi cela ne peut pas attendre, en ${number(characters)} caractères au moins.`,
  password: 'Votre mot de passe',
  passwordMissing: 'Saisissez votre mot de passe.',
  press: 'Exécuter maintenant, malgré la politique :',
  close: 'Fermer',
  done: 'Dérogation enregistrée. L’appel peut s’exécuter.',
  used: (name) => `${name} a approuvé contre la politique, par dérogation d’urgence.`,
  due: 'À examiner',
  reviewed: (name, isJustified) => `${name} l’a examinée et l’a trouvée ${isJustified ? 'justifiée' : 'injustifiée'}.`,
  justified: 'Était-elle justifiée ?',
  yes: 'Oui',
  no: 'Non',
  finding: 'Vos constatations',
  review: 'Enregistrer l’examen',
  reviewMissing: 'Choisissez oui ou non, et notez vos constatations.',
  reviewKept: 'Examen enregistré.',
};

export const reasons: typeof english.reasons = {
  changed: 'La demande a changé. Lisez la nouvelle version, puis confirmez-le.',
  readFirst: (seconds) => `Vous pourrez approuver dans ${seconds} s. Lisez d’abord.`,
  pauseFirst: (milliseconds) =>
    `Vous avez approuvé beaucoup de demandes, ou plusieurs en quelques secondes chacune. Faites une pause : vous pourrez continuer dans ${duration(milliseconds)}.`,
  unread: 'Lisez d’abord le reste de la demande : tout n’était pas à l’écran.',
  sending: 'Votre dernière action est encore en cours d’envoi.',
  turn: (waiting, stage, stages) =>
    stages === 1 ? `${waiting}.` : `${waiting} (étape ${number(stage)} sur ${number(stages)}).`,
};

export const comparison: typeof english.comparison = {
  title: 'Comparé au dernier appel approuvé',
  same: 'Les mêmes arguments que',
  changed: (differences) => `${count(differences, { one: 'changement', other: 'changements' })} depuis`,
  approved: 'le dernier appel approuvé de cet outil que vous puissiez lire',
  all: 'tous les arguments',
  cut: (differences) => `Seuls les ${number(differences)} premiers sont montrés.`,
};

export const lookBack: typeof english.lookBack = {
  chosen: 'Sa politique l’a autorisée sans question. Elle a été tirée pour un contrôle ultérieur.',
  open: 'Personne ne l’a encore contrôlée.',
  reviewed: (name, shouldHaveAsked) =>
    shouldHaveAsked ? `${name} dit qu’il aurait fallu demander.` : `${name} dit que c’était bien ainsi.`,
  question: 'Était-il juste de ne pas demander ?',
  right: 'C’était bien ainsi',
  wrong: 'Il aurait fallu demander',
  finding: 'Note',
  missing: 'Choisissez une réponse.',
  noteMissing: 'Dites pourquoi il aurait fallu demander.',
  save: 'Enregistrer',
  saved: 'Enregistré.',
};
