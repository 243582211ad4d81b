import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count, number } = formatsIn('fr');

export const words: typeof english.words = {
  save: 'Enregistrer',
  saved: 'Enregistré.',
  none: 'Aucun',
  notYourself: (name) => `${name} (quelqu’un d’autre de l’administration peut vous choisir)`,
};

export const spaces: typeof english.spaces = { title: 'Espaces', space: 'Espace' };

export const roles: typeof english.roles = { title: 'Rôles' };

export const users: typeof english.users = {
  title: 'Personnes',
  lead: 'Toutes les personnes qui peuvent se connecter. Les politiques désignent qui approuve par rôle, groupe, responsable et e-mail.',
  table: 'Personnes',
  filter: 'Trouver une personne',
  filterNote: 'Par nom, e-mail, rôle ou groupe',
  noMatch: 'Personne ne correspond.',
  add: 'Ajouter une personne',
  name: 'Nom',
  role: 'Rôle',
  manager: 'Responsable',
  groups: 'Groupes',
  disabled: 'Désactivée',
  invited: 'Pas encore de mot de passe',
  mayBreakGlass: 'Dérogation d’urgence',
};

export const user: typeof english.user = {
  missing: 'Personne introuvable',
  missingNote: 'Aucune personne n’a cet ID.',
  title: 'Personne',
  name: 'Nom',
  nameNote: 'Affiché à côté de ses décisions.',
  role: 'Rôle',
  roleNotes: {
    admin: 'L’administration décide des demandes, écrit des politiques et gère les personnes.',
    'policy-author': 'La rédaction écrit et relit des politiques. Elle ne décide et ne publie rien.',
    operator: 'L’exploitation gère les clés et les webhooks, et peut arrêter des appels. Elle ne décide rien.',
    approver: 'L’approbation décide des demandes que les politiques lui confient.',
    reviewer: 'Le contrôle peut lire des demandes en donnant un motif, mais ne peut pas en décider.',
  },
  manager: 'Responsable',
  managerNote: 'Les politiques peuvent interroger la ou le responsable de la personne qui demande.',
  subjects: 'Noms dans les clients MCP',
  subjectsNote:
    'Un par ligne, en plus de l’e-mail : SUBJECT, ou ISSUER#SUBJECT. Cette personne ne peut pas approuver les demandes faites sous ces noms.',
  chat: 'ID de membre dans la messagerie',
  chatNote:
    'Par exemple U0123ABCD dans Slack, ou son ID d’objet pour Microsoft Teams. Les votes venus de là sont les siens.',
  breakGlass: 'A droit à la dérogation d’urgence',
  breakGlassNote:
    'Peut approuver contre une politique si cela ne peut pas attendre. Avec un motif, et examiné ensuite.',
  disabled: 'Désactivée',
  disabledNote:
    'Ne peut ni se connecter ni voter, et les clés de sa création ne fonctionnent plus. Ses décisions passées restent.',
  madeKeys: (keys) =>
    keys === 1
      ? 'Cette personne a créé cette clé. Elle ne fonctionne pas tant que la personne est désactivée ; créez-en d’abord une autre si son serveur en a encore besoin.'
      : 'Cette personne a créé ces clés. Elles ne fonctionnent pas tant que la personne est désactivée ; créez-en d’abord d’autres si leurs serveurs en ont encore besoin.',
  groups: 'Groupes',
  noGroups: 'Dans aucun groupe.',
  since: 'Depuis',
};

export const newUser: typeof english.newUser = {
  title: 'Ajouter une personne',
  lead: 'Elle définit elle-même son mot de passe avec un lien reçu par e-mail. Personne d’autre ne le connaît jamais.',
  terminalLead:
    'Elle définit elle-même son mot de passe avec un lien que le terminal de l’exploitation affiche. Personne d’autre ne le connaît jamais.',
  email: 'E-mail',
  emailNote: 'Sert à se connecter. Ne peut pas être changé ensuite.',
  manager: 'Responsable (facultatif)',
  groups: 'Groupes (facultatif)',
  submit: 'Ajouter et envoyer le lien',
  terminalSubmit: 'Ajouter',
  added: 'Personne ajoutée.',
  open: (name) => `Ouvrir ${name}`,
  again: 'Ajouter une autre personne',
};

export const access: typeof english.access = {
  passkeys: 'Clés d’accès',
  noPasskeys: 'Aucune clé d’accès.',
  title: 'Connexion',
  hasPassword: 'A un mot de passe.',
  hasNone: 'N’a pas encore défini de mot de passe et ne peut pas se connecter.',
  send: 'Envoyer un lien de mot de passe',
  replaceNote:
    'Pour qui a perdu son mot de passe. La personne est déconnectée partout et les liens précédents cessent de fonctionner ; l’ancien mot de passe vaut jusqu’à ce qu’elle en définisse un nouveau.',
  againNote: 'Les liens précédents cessent de fonctionner.',
  reset: 'Envoyer un lien qui réinitialise les seconds facteurs',
  resetNote:
    'Pour qui a aussi perdu ses clés d’accès ou son application d’authentification : utiliser le lien les supprime, et la personne en ajoute de nouvelles.',
  disabled: 'Cette personne est désactivée. Réactivez-la d’abord.',
  sent: 'Le lien est en route.',
  onItsWay: (email) => `Un lien est en route vers ${email}`,
  once: 'La première personne qui l’utilise définit le mot de passe. Usage unique,',
  shared:
    'Jusqu’à ce qu’elle utilise un lien du terminal de l’exploitation, vous et elle comptez comme une seule personne :',
  terminal:
    'Exécutez ceci là où Assentry fonctionne, ou demandez-le à l’exploitation. La commande affiche le lien de cette personne, la déconnecte partout, et met fin aux liens précédents. N’envoyez le lien à personne d’autre.',
  terminalReset: 'Pour qui a aussi perdu ses clés d’accès ou son application d’authentification :',
};

export const groups: typeof english.groups = {
  title: 'Groupes',
  lead: 'Les politiques nomment des groupes. Un changement ici vaut pour chaque étape qui commence désormais.',
  name: 'Groupe',
  members: 'Membres',
  description: 'But',
  empty: 'Pas encore de groupe',
  emptyNote:
    'Créez un groupe, par exemple « finance », et ajoutez-y des personnes. Les politiques peuvent alors exiger son approbation.',
  newTitle: 'Nouveau groupe',
  nameLabel: 'Nom',
  nameNote: 'Le nom qu’utilisent les politiques.',
  descriptionLabel: 'But (facultatif)',
  create: 'Créer le groupe',
  missing: 'Groupe introuvable',
  missingNote: 'Il a peut-être été supprimé.',
  providedTitle: 'Créé par SCIM',
  adopted: (provider) => `${provider} a créé ce groupe et dit qui en fait partie. Il compte dans les politiques.`,
  unadopted: (provider) =>
    `${provider} a créé ce groupe et dit qui en fait partie. Il ne compte dans les politiques qu’une fois adopté par l’administration.`,
  adopt: 'Adopter le groupe',
  endAdoption: 'Ne plus le compter',
  unadoptedMark: 'Créé par SCIM, non adopté : ne compte pas encore',
  membersTitle: (members) => `Membres (${number(members)})`,
  noMembers: 'Pas encore de membre. Les politiques qui exigent ce groupe ne peuvent pas être satisfaites.',
  addMember: 'Ajouter une personne',
  add: 'Ajouter',
  remove: 'Retirer',
  settings: 'Nom et but',
  renameNote: 'Si vous le renommez, modifiez aussi les politiques qui le nomment.',
  deleteTitle: 'Supprimer ce groupe',
  deleteNote: 'Les politiques qui le nomment n’y trouvent alors personne et ne peuvent pas être satisfaites.',
  delete: 'Supprimer le groupe',
  confirm: (name) => `Supprimer ${name} définitivement`,
  keep: 'Le garder',
};

export const confirmation: typeof english.confirmation = {
  title: 'Confirmation',
  lead: 'Si les membres sont confirmés tous les quelques mois, ceux que personne ne confirme à temps quittent le groupe.',
  none: 'Personne n’a à confirmer les membres.',
  rule: (days, by) => `Tous les ${number(days)} jours, par ${by}.`,
  administrators: 'l’administration',
  last: 'Dernière confirmation',
  next: 'Prochaine',
  due: (members) =>
    members === 1
      ? '1 membre part si personne ne le confirme'
      : `${number(members)} membres partent si personne ne les confirme`,
  provided: 'Les membres venus d’un fournisseur d’identité sont confirmés là-bas, et restent.',
  confirm: (members) => (members === 1 ? 'Confirmer ce membre' : `Confirmer ces ${number(members)} membres`),
  confirmed: 'Confirmé.',
  who: 'Seules les personnes responsables du groupe et l’administration peuvent confirmer ses membres.',
  own: 'Vous ne pouvez pas confirmer votre propre appartenance. Une autre personne responsable ou l’administration le peut.',
  days: 'Confirmer les membres tous les … jours',
  daysNote: 'De 1 à 730. Vide si personne n’a à le faire.',
  owners: 'Responsables',
  ownersNote:
    'On les interroge deux semaines avant le départ de membres. Sans responsables, on interroge l’administration.',
  addOwner: 'Ajouter un responsable',
  save: 'Enregistrer la règle',
};

export const keys: typeof english.keys = {
  title: 'Clés',
  note: 'Avec une clé, un serveur crée des demandes. Elle n’en approuve jamais une. Un serveur peut en avoir plusieurs, pour en remplacer une sans interruption.',
  key: 'Clé',
  server: 'Serveur',
  made: 'Créée',
  used: 'Dernière utilisation',
  never: 'Jamais',
  state: 'État',
  isRevoked: 'Révoquée',
  isExpired: 'Expirée',
  isOff: (maker) => `Inactive tant que ${maker} est désactivé`,
  maker: 'Créée par',
  operator: 'Exploitation',
  expires: 'Expire',
  expiresNever: 'Jamais',
  expiresIn: (days) => `Dans ${days} jours`,
  soon: 'Dans les 14 jours',
  expiresNote: 'Ensuite, la clé ne fonctionne plus.',
  limits: 'Outils et réseaux',
  allTools: 'Tous les outils',
  from: (networks) => `Seulement depuis ${networks}`,
  unused: 'Non utilisée depuis 90 jours.',
  forTools: 'Seulement pour ces outils (facultatif)',
  forToolsNote: 'Noms séparés par des virgules ; * remplace des caractères quelconques. Vide pour tous.',
  forNetworks: 'Seulement depuis ces réseaux (facultatif)',
  forNetworksNote: 'Par exemple 10.0.0.0/8 ou 2001:db8::/32, séparés par des virgules. Vide pour partout.',
  changeNetworks: 'Réseaux',
  networksOf: (kid) => `Réseaux depuis lesquels ${kid} fonctionne`,
  saveNetworks: 'Enregistrer les réseaux',
  rotate: 'Renouveler',
  rotateNote: 'Crée une clé avec les mêmes limites. Celle-ci fonctionne encore 24 heures au plus.',
  confirmRotation: 'Renouveler la clé',
  rotated: 'Clé renouvelée.',
  rotatedNote:
    'Comme ASSENTRY_API_KEY. Elle n’est montrée qu’une fois. L’ancienne clé fonctionne jusqu’à sa fin, pour la remplacer sans interruption.',
  isReplaced: (next) => `Remplacée par ${next}`,
  revoke: 'Révoquer',
  revokeNote: 'Elle cesse de fonctionner tout de suite et définitivement. Ses demandes restent.',
  confirm: 'Révoquer la clé',
  keep: 'La garder',
  revoked: 'Clé révoquée.',
  forServer: 'Nouvelle clé pour le serveur',
  forServerNote: 'Le nom que voit qui approuve. Un nouveau nom crée un nouveau serveur.',
  create: 'Créer la clé',
  madeOne: 'Clé créée.',
  give: (server) => `Donnez cette clé à ${server}`,
  giveNote:
    'Comme ASSENTRY_API_KEY. Elle n’est montrée qu’une fois ; si elle est perdue, créez-en une autre et révoquez celle-ci.',
  shown: 'Nouvelle clé',
};

export const away: typeof english.away = {
  title: 'Délégations',
  lead: 'Pendant votre absence, quelqu’un peut voter pour vous. Ce vote compte comme le vôtre, montre les deux noms et ne compte jamais deux fois.',
  form: 'Mon absence',
  to: 'Qui vote pour vous',
  toNote: 'Une délégation ne se délègue pas.',
  from: 'De',
  fromNote: 'Vide pour commencer maintenant.',
  until: 'Jusqu’à',
  policies: 'Seulement pour ces politiques (facultatif)',
  policiesNote: 'Noms séparés par des virgules. Vide pour toutes.',
  note: 'Note (facultatif)',
  submit: 'Déléguer mes votes',
  handedOver: 'Vos votes sont délégués.',
  toMissing: 'Choisissez qui vote pour vous.',
  untilMissing: 'Choisissez une fin.',
  list: 'Délégations',
  table: 'Qui vote pour qui',
  empty: 'Aucune délégation.',
  who: 'Qui',
  votesFor: (to, from) => `${to} vote pour ${from}`,
  when: 'Quand',
  which: 'Politiques',
  all: 'Toutes',
  state: 'État',
  states: { now: 'Active', ahead: 'Pas commencée', over: 'Terminée', revoked: 'Terminée plus tôt' },
  revoke: 'Y mettre fin',
  revokeOf: (to, from) => `Mettre fin à la délégation de ${from} à ${to}`,
  revoked: 'Délégation terminée.',
  begins: 'Commence',
  began: 'A commencé',
  ends: 'finit',
  ended: 'a fini',
};

export const breakGlass: typeof english.breakGlass = {
  title: 'Dérogations d’urgence',
  lead: 'Demandes que quelqu’un a approuvées contre leur politique. Quelqu’un d’autre doit examiner chacune.',
  empty: 'Aucune dérogation d’urgence',
  emptyNote:
    'Qui en a le droit peut approuver une demande contre sa politique. Elle apparaît alors ici pour être examinée.',
  request: 'Demande',
  by: 'Approuvée par',
  at: 'Quand',
  review: 'Examen',
  due: 'À faire',
  reviewed: 'Fait',
};

export const lookBacks: typeof english.lookBacks = {
  title: 'Contrôles par sondage',
  lead: 'Ce que des politiques ont autorisé sans question, tiré au sort pour que quelqu’un le contrôle ensuite.',
  empty: 'Rien à contrôler',
  emptyNote: 'Une politique qui autorise des appels peut dire sample: 5%. Cette part apparaît ici pour un contrôle.',
  approversNote: 'Seules l’administration et les personnes chargées du contrôle le font.',
  request: 'Demande',
  policy: 'Autorisée par',
  at: 'Quand',
  review: 'Contrôle',
  due: 'Pas contrôlée',
  reviewed: 'Fait',
};

export const grants: typeof english.grants = {
  title: 'Approbations permanentes',
  lead: 'Appels qui peuvent s’exécuter un temps sans redemander, parce qu’on l’a autorisé en approuvant.',
  empty: 'Aucune approbation permanente',
  emptyNote:
    'Si la politique le permet, on peut autoriser le même appel pour quelques heures en approuvant. Il apparaît alors ici.',
  cut: (grants) =>
    `Voici les ${number(grants)} plus récentes ; il y en a d’autres. Celles qui ont pris fin manquent d’abord.`,
  what: 'Ce qui peut s’exécuter',
  requester: 'Demandé par',
  erased: 'effacé',
  hidden: 'contenu visible en donnant un motif',
  by: 'Autorisé par',
  left: 'Reste',
  uses: (uses) => count(uses, { one: 'usage', other: 'usages' }),
  budget: (amount, argument) => `${number(amount)} de ${argument}`,
  due: 'À examiner avant',
  steps: 'Actions',
  states: {
    revoked: 'Terminée plus tôt',
    suspended: 'Suspendue : l’outil a changé',
    expired: 'Expirée',
    lapsed: 'Caduque : non examinée à temps',
    'used-up': 'Épuisée',
  },
  revoke: 'Y mettre fin',
  revoked: 'Approbation permanente terminée. Le prochain appel redemande.',
  review: 'Confirmer',
  reviewed: 'Approbation permanente confirmée.',
};

export const stops: typeof english.stops = {
  title: 'Arrêts',
  lead: 'Arrêter d’un coup un outil, un serveur ou tout. Les demandes ouvertes prennent fin, et les appels approuvés ne peuvent pas commencer.',
  empty: 'Rien n’est arrêté',
  emptyNote: 'Utilisez le formulaire ci-dessous, ou « assentry stop ». Une deuxième personne doit lever l’arrêt.',
  form: 'Arrêter maintenant',
  server: 'Serveur',
  everyServer: 'Tous les serveurs',
  tool: 'Outil (facultatif)',
  toolNote: 'Par exemple wire_transfer. Vide pour tous les outils.',
  reason: 'Motif',
  reasonNote: 'Montré à qui demande.',
  stop: (tool, server) =>
    tool === '' ? (server === '' ? 'Tout arrêter' : `Arrêter tout ${server}`) : `Arrêter ${tool}`,
  consequence: 'Les appels commencés continuent. Quelqu’un d’autre doit lever l’arrêt.',
  saved: 'Arrêté.',
  stopped: (ended) =>
    `Arrêté. ${count(ended, { one: 'demande ouverte a pris fin', other: 'demandes ouvertes ont pris fin' })}.`,
  list: 'Arrêté',
  what: 'Quoi',
  everything: 'Tout',
  allOf: (server) => `Tout ${server}`,
  of: (server) => `de ${server}`,
  by: 'Arrêté par',
  operator: 'L’exploitation',
  steps: 'État',
  lift: 'Lever',
  liftedBy: (name) => `Levé par ${name}`,
  lifted: 'Levé.',
};
