import { formatsIn } from '#protocol/model/text/formats';
import type * as english from './english.ts';

const { all, count, number } = formatsIn('fr');

export const words: typeof english.words = {
  title: 'Audit',
  lead: 'Les questions habituelles d’un contrôle. Chaque réponse vient du journal, et la question y est consignée aussi.',
  questions: 'Questions',
  reviewersOnly: 'Seules l’administration et les personnes chargées du contrôle peuvent poser ces questions.',
  back: 'Toutes les questions',
  missing: 'Question introuvable',
  missingNote: 'L’adresse est peut-être incomplète.',
  period: 'Les jours sont en UTC.',
  from: 'Du',
  to: 'Au',
  at: 'À (UTC)',
  person: 'Personne',
  anyone: 'Tout le monde',
  choosePerson: 'Choisir une personne…',
  tool: 'Outil',
  client: 'Agent',
  requester: 'Demandeur',
  requesterNote: 'Comme le serveur le nomme, en entier, par exemple ada@example.com, ou ce qui le représente en SQL.',
  request: 'Demande',
  wrongName: 'Utilisez les lettres A à Z, des chiffres, des points, des tirets et des tirets bas.',
  wrongRequest: 'Donnez l’ID d’une demande ; il commence par eli_.',
  hours: (zone) => `Heures de la journée (${zone})`,
  hourFrom: 'À partir de l’heure',
  hourTo: 'Jusqu’à l’heure',
  anyHour: 'Toutes',
  server: 'Serveur',
  everyServer: 'Tous les serveurs',
  policy: 'Politique',
  everyone: 'Toutes',
  show: 'Montrer',
  empty: 'Rien trouvé',
  emptyNote: 'Aucune entrée de ce genre pendant cette période. Choisissez une autre période, ou effacez un filtre.',
  noAnswer: 'Pas de réponse : un filtre ne nomme rien qui existe',
  neverThere: (filter, value) =>
    ({
      tool: `Aucun outil ne s’appelle « ${value} ».`,
      server: `Aucun serveur ne s’appelle « ${value} ».`,
      policy: `Aucune politique ne s’appelle « ${value} ».`,
      client: `Aucun agent ne se nomme « ${value} ».`,
      requester: `Aucun demandeur ne s’appelle « ${value} ». Donnez le nom entier, comme le serveur l’a donné.`,
      person: 'Cette personne n’existe pas.',
      request: `La demande ${value} n’existe pas.`,
    })[filter] ?? value,
  good: 'Aucun, comme il se doit',
  goodNote:
    'Pendant cette période, personne n’a voté sur sa propre demande, ni sur ce qu’a demandé une clé de sa création.',
  ownRequest: 'A voté sur sa propre demande',
  ownKey: 'A voté sur ce que sa propre clé a demandé',
  counted: (title, rows) => `${title} : ${number(rows)}`,
  found: (rows) => count(rows, { one: 'résultat', other: 'résultats' }),
  shown: (shown, rows) => `Les ${number(shown)} premiers sur ${number(rows)}. Les fichiers les ont tous.`,
  cut: (rows) => `Il y en a plus de ${number(rows)}. Choisissez une période plus courte pour voir le reste.`,
  overTime: 'Résultats dans le temps',
  most: (rows) => `Jusqu’à ${count(rows, { one: 'résultat', other: 'résultats' })}`,
  results: 'Résultats',
  asCsv: 'Télécharger en CSV',
  asJson: 'Télécharger en JSON',
  yes: 'Oui',
  no: 'Non',
  seconds: (seconds) => `${number(seconds)} s`,
};

export const proof: typeof english.proof = {
  none: 'Les nœuds n’ont pas vérifié le journal depuis leur démarrage. La première vérification vient dans les minutes.',
  upTo: (entries, when) => `Vérifié jusqu’à l’entrée ${number(entries)}, ${when}`,
  found: (when) => `Constaté ${when}`,
  changed: 'Le journal a été modifié',
  changedNote:
    'Le journal, ou une ligne qui en découle, a été modifié après son écriture. Demandez à l’exploitation d’exécuter « assentry audit verify ».',
  witnessed: (name, entries, when) => `${name} l’a vu jusqu’à l’entrée ${number(entries)}, ${when}`,
  unseen: (name) => `${name} ne l’a pas encore vu`,
  disagrees: (names) => `Un témoin n’est pas d’accord : ${all(names)}`,
  disagreesNote:
    'Le témoin a vu un journal plus long ou différent. La base de données a été ramenée à un état plus ancien, ou remplacée. Demandez à l’exploitation qui l’a fait.',
};

export const receipt: typeof english.receipt = {
  title: 'Vérifier un reçu',
  note: 'Déposez le fichier ici, ou choisissez-le. Il est comparé aux clés de cette installation, et n’est pas gardé.',
  choose: 'Choisir un fichier',
  verdicts: {
    genuine: 'Ce reçu est authentique',
    altered: 'Ce reçu a été modifié : ne vous y fiez pas',
    'not-ours': 'Ce reçu ne vient pas de cette installation',
    'unknown-key': 'Ce reçu ne peut pas être vérifié ici',
    'no-receipt': 'Ce fichier n’est pas un reçu, ou il est abîmé',
  },
  notes: {
    altered: 'Il dit venir de cette installation, mais ce n’est pas ce qui a été délivré.',
    'not-ours': 'Demandez sa clé à l’autre installation, et vérifiez-le avec « assentry receipt verify ».',
    'unknown-key':
      'Il nomme cette installation, mais aucune des clés en service ne l’a signé. Une ancienne clé l’a peut-être fait : demandez à l’exploitation de le vérifier avec « assentry receipt verify --key ».',
    'no-receipt': 'Un reçu est un fichier texte dont le nom finit par .tlog-proof.',
  },
  from: (origin) => `Il nomme le journal ${origin}.`,
  tooLong: 'Le fichier est trop long pour être un reçu.',
  outcome: 'Ce qui s’est passé',
  by: 'Par',
  when: 'Quand',
  policy: 'Politique',
  tool: 'Outil',
  request: 'Demande',
  digest: 'Empreinte de ce qui a été demandé',
  place: 'Dans le journal',
  placeOf: (place, size) => `Entrée ${number(place)} des ${number(size)} premières`,
};

export const questions: typeof english.questions = {
  approvals: {
    title: 'Approbations d’un outil pendant une période',
    note: 'Ce qui a pu s’exécuter, qui l’a autorisé et selon quelle politique.',
  },
  requests: {
    title: 'Ce qui a été demandé, par agent, demandeur ou heure',
    note: 'Chaque demande : quel agent a demandé, pour qui, quand, et comment cela s’est terminé. Les appels qu’une politique a laissés passer sans question sont dans le journal.',
  },
  'own-approvals': {
    title: 'Quelqu’un a-t-il voté sur sa propre demande ?',
    note: 'Votes de personnes qui étaient, ou ont pu être, le demandeur, et de celles dont la clé a demandé. Il ne devrait pas y en avoir.',
  },
  automatic: {
    title: 'Approbations automatiques',
    note: 'Ce qu’une politique a autorisé sans personne, et selon quelle approbation permanente.',
  },
  overrides: {
    title: 'Dérogations d’urgence et leurs examens',
    note: 'Ce qui a été approuvé contre sa politique, et ce que l’examen a conclu.',
  },
  edited: {
    title: 'Modifié avant l’approbation',
    note: 'Demandes dont une personne a modifié les arguments avant leur approbation.',
  },
  hasty: {
    title: 'Décidé en moins de cinq secondes',
    note: 'Votes venus moins de cinq secondes après que la personne a ouvert la demande.',
  },
  'could-approve': {
    title: 'Qui pouvait approuver à un moment donné',
    note: 'Toutes les personnes qui pouvaient voter alors, avec leur rôle et leurs groupes.',
  },
  readers: { title: 'Qui a lu du contenu', note: 'Qui a ouvert ou exporté le contenu de demandes.' },
  'policy-changes': {
    title: 'Modifications des politiques et qui les a approuvées',
    note: 'Auteur, relecture, et lignes modifiées. Une étape sans personne est celle de l’exploitation.',
  },
  access: {
    title: 'Ce qu’une personne a lu',
    note: 'Ce qu’une personne a lu, listé, exporté, ou s’est vu refuser.',
  },
};

export const columns: typeof english.columns = {
  request: 'Demande',
  client: 'Agent',
  requester: 'Demandeur',
  outcome: 'Issue',
  lapse: 'Approbation',
  server: 'Serveur',
  tool: 'Outil',
  policy: 'Politique',
  policy_version: 'Version',
  version: 'Version',
  decided_by: 'Décidé par',
  person: 'Personne',
  asked_at: 'Demandé',
  decided_at: 'Décidé',
  stands_in_for: 'À la place de',
  choice: 'Vote',
  voted_at: 'Voté',
  grant_id: 'Approbation permanente',
  given_by: 'Donnée par',
  approvers: 'Approuvé par',
  by_key_maker: 'Propre clé',
  approved_at: 'Approuvé',
  review_due_at: 'À examiner avant',
  reviewer: 'Examiné par',
  reviewed_at: 'Examiné',
  justified: 'Justifié',
  revision: 'Révision',
  seen_at: 'Ouvert la première fois',
  considered: 'Temps pris',
  role: 'Rôle',
  since: 'Depuis',
  groups: 'Groupes',
  at: 'Quand',
  access: 'Accès',
  what: 'Quoi',
  times: 'Fois',
  change: 'Modification',
  author: 'Auteur',
  lines_added: 'Lignes ajoutées',
  lines_removed: 'Lignes supprimées',
};

export const codes: typeof english.codes = {
  decided_by: {
    user: 'Une personne',
    policy: 'Politique',
    requester: 'Demandeur',
    service: 'Service externe',
  },
  outcome: {
    open: 'Ouvert',
    accepted: 'Approuvé',
    declined: 'Refusé',
    cancelled: 'Retiré',
    expired: 'Expiré',
  },
  lapse: {
    lapsed: 'Caduque avant l’exécution',
    revoked: 'Révoquée avant l’exécution',
  },
  choice: {
    accept: 'Approuver',
    decline: 'Refuser',
  },
  role: {
    admin: 'Administration',
    approver: 'Approbation',
  },
  access: {
    read: 'Ouvert',
    looked: 'Motif de lecture donné',
    listed: 'Listé',
    exported: 'Exporté',
    refused: 'Refusé',
    'sign-in-failed': 'Connexion échouée',
  },
  what: {
    request: 'Demande',
    requests: 'Demandes',
    receipt: 'Reçu',
    log: 'Journal',
    report: 'Question d’audit',
  },
  change: {
    drafted: 'Écrite',
    submitted: 'Soumise',
    approved: 'Approuvée',
    rejected: 'Rejetée',
    published: 'Publiée',
    shadowed: 'Mode observation',
  },
};

const by = (people: string[]): string => (people.length === 0 ? 'l’exploitation' : all(people));

export const holds: typeof english.holds = {
  title: 'Conservations légales',
  link: 'Conservations légales',
  note: 'Ce qui ne doit pas être effacé.',
  lead: 'Rien de ce que couvre une conservation n’est effacé, ni par des personnes ni quand la durée d’une politique est écoulée. Deux personnes de l’administration la décident, et deux y mettent fin.',
  list: 'Conservations légales',
  empty: 'Rien n’est conservé',
  emptyNote:
    'Une conservation apparaît ici quand deux personnes de l’administration l’ont décidée : ci-dessous, ou sur la page d’une demande.',
  what: 'Quoi',
  scope: ({ scope, request, server }) =>
    ({
      request: `Demande ${request}`,
      requester: `Tout ce qu’a demandé le demandeur de ${request}`,
      server: `Tout ce qui vient de ${server}`,
      everything: 'Tout',
    })[scope],
  reason: 'Affaire',
  reasonNote: 'Ce texte est enregistré lisible et n’est jamais effacé : nommez l’affaire, mais personne.',
  placed: 'Décidée',
  placedBy: (when, people) => `${when}, par ${by(people)}`,
  state: 'État',
  released: (when, people) => `A pris fin le ${when} par ${by(people)}`,
  release: 'Y mettre fin',
  form: 'Décider une conservation',
  server: 'Serveur',
  serverNote: 'Son nom ; vide pour tout.',
  hold: 'Conserver',
  saved: 'Conservé.',
};
