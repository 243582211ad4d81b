import type { Action } from '#requests/asking/contract/elicitation';
import { formatAside } from './french-aside.ts';
import { formatsIn } from '#platform/text/formats';
import type * as english from './english-life.ts';

const { all, count, number } = formatsIn('fr');

const requests = { one: 'demande', other: 'demandes' };

export const list: typeof english.list = {
  title: 'Politiques',
  lead: 'Qui doit approuver quels appels d’outils. Si plusieurs politiques s’appliquent, un refus l’emporte, puis la plus haute priorité.',
  new: 'Nouvelle politique',
  name: 'Politique',
  says: 'Ce qu’elle dit',
  state: 'Versions',
  changed: 'Dernière modification par',
  version: (version) => `version ${number(version)}`,
  due: (versions) => `${count(versions, { one: 'version attend', other: 'versions attendent' })} votre relecture`,
  empty: 'Pas encore de politique',
  emptyNote:
    'Tant que vous n’en écrivez pas, la politique intégrée décide : les appels destructeurs et ceux qui le demandent reviennent à qui approuve, le reste à la personne qui demande.',
};

export const version: typeof english.version = {
  missing: 'Politique introuvable',
  missingNote: 'Elle n’existe pas, ou son nom s’écrit autrement.',
  noVersion: (requested) => `Cette politique n’a pas de version ${requested}`,
  newestInstead: (version) => `Voici la plus récente, la version ${number(version)}.`,
  number: (version) => `Version ${number(version)}`,
  written: 'Écrite par',
  approved: 'Approuvée par',
  rejected: 'Rejetée par',
  published: 'Publiée',
  publishedBy: 'Publiée par',
  says: 'Ce qu’elle dit',
  text: 'Texte',
  changes: (against) => `Changements depuis la version ${number(against)}`,
  history: 'Versions',
};

export const steps: typeof english.steps = {
  draft: 'Brouillon',
  draftNote: 'Un brouillon ne décide rien. Une fois soumis, il ne peut plus changer, et quelqu’un d’autre le relit.',
  edit: 'Modifier le brouillon',
  submit: 'Soumettre à la relecture',
  submitted: 'Soumis à la relecture.',
  review: 'En relecture',
  reviewNote:
    'Lisez ce qu’elle dit et ce qui a changé. Une fois approuvée, elle peut être publiée ; d’ici là, elle ne décide rien.',
  ownReviewNote:
    'Quelqu’un d’autre la lit, puis l’approuve ou la rejette. Tant qu’elle n’est pas publiée, elle ne décide rien.',
  note: 'Note',
  noteNote: 'Nécessaire pour rejeter. Visible par l’auteur.',
  noteMissing: 'Dites ce qui doit changer.',
  alone:
    'Vous êtes la seule personne de l’administration qui puisse se connecter ; personne ne peut donc encore la relire. Ajoutez-en une deuxième sous Réglages › Personnes, ou demandez à l’exploitation de la publier : assentry policy apply FILE.',
  approve: 'Approuver',
  approveAndPublish: 'Approuver et publier',
  reject: 'Rejeter',
  reviewed: 'Relecture enregistrée.',
  approved: 'Approuvée, pas encore publiée',
  approvedNote:
    'Une fois publiée, elle vaut pour les nouvelles demandes. Les demandes ouvertes gardent la version avec laquelle elles ont commencé.',
  publish: 'Publier',
  published: 'Publiée. Elle vaut dès maintenant.',
  older: 'Cette version ne décide pas',
  olderNote: 'Pour y revenir, rétablissez-la comme brouillon ; elle est relue comme toute autre modification.',
  restore: 'Rétablir comme brouillon',
  restored: 'Rétablie comme nouveau brouillon.',
  change: 'Écrire une nouvelle version',
  retire: 'Y mettre fin',
  shadow: 'Passer en mode observation',
  shadowed: 'En mode observation : elle voit de vraies demandes, mais n’en décide aucune.',
  unshadow: 'Arrêter le mode observation',
  unshadowed: 'Mode observation arrêté.',
};

export const shadow: typeof english.shadow = {
  title: 'Mode observation : ce qu’elle aurait fait',
  total: (total, different) =>
    total === 0
      ? 'Aucune demande depuis le début du mode observation.'
      : `Elle aurait décidé autrement de ${number(different)} sur ${count(total, requests)}.`,
  request: 'Demande',
  live: 'Ce qui s’est passé',
  shadow: 'En mode observation',
};

export const draft: typeof english.draft = {
  newTitle: 'Nouvelle politique',
  examples: 'Partir d’un exemple',
  editTitle: (name, version) => `Modifier ${name}, brouillon ${number(version)}`,
  changeTitle: (name) => `Nouvelle version de ${name}`,
  retireTitle: (name) => `Mettre fin à ${name}`,
  title: 'Enregistrer et soumettre',
  space: 'Appartient à',
  everywhere: 'Aucun espace : tous les serveurs',
  note: 'Ce que cela change (facultatif)',
  noteNote: 'Visible à la relecture et dans l’historique.',
  consequence:
    'Un brouillon ne décide rien. Une deuxième personne de l’administration le relit quand vous l’avez soumis ; ensuite il peut être publié.',
  save: 'Enregistrer le brouillon',
  submit: 'Enregistrer et soumettre à la relecture',
  saved: 'Brouillon enregistré.',
  faulty: 'Corrigez d’abord les erreurs.',
  unchecked: 'Le texte est en cours de vérification.',
};

const endings: Record<Action, string> = { accept: 'Approuvée', decline: 'Refusée', cancel: 'Retirée' };

export const simulator: typeof english.simulator = {
  title: 'Simuler avec de vraies demandes',
  lead: 'Ce que ce texte déciderait des dernières demandes, avec les politiques publiées. Cela ne change rien.',
  last: 'Dernières demandes à essayer',
  tool: 'Seulement cet outil (facultatif)',
  from: 'Du (facultatif)',
  until: 'Au (facultatif)',
  run: 'Simuler',
  notReady: 'Corrigez les erreurs pour simuler.',
  outdated: 'Le texte a changé. Simulez de nouveau pour voir le nouveau résultat.',
  summary: ({ requests: total, different, decided }) => {
    if (total === 0) return 'Il n’y a pas encore de demande à essayer.';
    const change = different === 0 ? 'rien ne changerait' : `l’issue changerait pour ${count(different, requests)}`;
    return `Décide de ${number(decided)} sur ${total === 1 ? 'la dernière demande' : `les ${number(total)} dernières demandes`} ; ${change}.`;
  },
  skipped: (skipped) =>
    skipped === 1
      ? '1 n’a pas pu être lue et est laissée de côté.'
      : `${number(skipped)} n’ont pas pu être lues et sont laissées de côté.`,
  withheld: (withheld) =>
    withheld === 1
      ? '1 est laissée de côté, car vous ne pouvez pas la lire.'
      : `${number(withheld)} sont laissées de côté, car vous ne pouvez pas les lire.`,
  by: (policy, rule) => (rule === null ? policy : `Règle ${number(rule)} de ${policy}`),
  table: 'Ce qui changerait',
  showAll: (total) => `Afficher les ${number(total)}`,
  onlyDifferent: 'N’afficher que les changements',
  request: 'Demande',
  now: 'Maintenant',
  withDraft: 'Avec ce texte',
  ended: 'Ce que des personnes ont fait',
  alike: (total) => (total === 1 ? '' : `${count(total, requests)}, la dernière`),
  endedSo: (ended, total) =>
    `${ended === null ? 'Encore ouverte' : endings[ended]}${total === 1 ? '' : ` : ${number(total)}`}`,
  requires: (stages) =>
    stages
      .map(
        ({ name, approvers }) => `${name} (${approvers === null ? 'tout le monde' : `${number(approvers)} peuvent`})`,
      )
      .join(', puis '),
  outcomes: {
    allow: 'S’exécute sans approbation',
    deny: 'Refusée',
    requester: 'La personne qui demande répond',
    unsatisfiable: 'Personne ne pourrait décider',
  },
};

export const callTrial: typeof english.callTrial = {
  aside: formatAside,
  title: 'Essayer un appel',
  lead: 'Collez un appel : ce qui lui arrive maintenant, ce qui lui arriverait avec ce texte, pourquoi, et à qui l’on demanderait. Rien n’est enregistré, et personne n’est interrogé.',
  text: 'L’appel, en JSON',
  textNote: 'Un tools/call de MCP, ou ses arguments seuls.',
  server: 'Serveur',
  tool: 'Outil',
  hint: 'L’outil dit de lui-même qu’il',
  hints: {
    none: 'ne dit rien',
    reads: 'ne fait que lire',
    adds: 'modifie sans détruire',
    destroys: 'peut détruire des données',
  },
  requester: 'Demandé par (facultatif)',
  run: 'Essayer cet appel',
  notReady: 'Corrigez les erreurs pour essayer un appel.',
  outdated: 'Le texte a changé. Essayez de nouveau l’appel pour voir le nouveau résultat.',
  same: 'Cet appel serait décidé comme maintenant.',
  differs: 'Cet appel serait décidé autrement.',
  asks: (stage, people) =>
    people === null
      ? `${stage} interroge toutes les personnes qui peuvent voter.`
      : `${stage} interroge ${all(people)}.`,
  faults: {
    json: 'Collez du JSON ; ceci n’en est pas.',
    object: 'Collez un objet JSON : un tools/call, ou ses arguments.',
    message: 'Collez un tools/call ; ceci est un autre message.',
    server: 'Saisissez le nom du serveur.',
    tool: 'Saisissez le nom de l’outil.',
  },
};
