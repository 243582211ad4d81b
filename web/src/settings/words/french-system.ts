import { formatsIn } from '#platform/text/formats';
import type * as english from './english-system.ts';

const { all, count, number } = formatsIn('fr');

export const system: typeof english.system = {
  title: 'Système',
  lead: 'Ce sur quoi Assentry fonctionne, et ce qui demande une intervention.',
  fine: 'Rien ne demande d’intervention',
  part: 'Partie',
  state: 'État',
  todo: 'Que faire',
  nodes: 'Nœuds',
  running: (nodes) => count(nodes, { one: 'nœud fonctionne', other: 'nœuds fonctionnent' }),
  silentNodes: (nodes) => `${count(nodes, { one: 'nœud s’est tu', other: 'nœuds se sont tus' })}, le dernier`,
  silentTodo: 'Redémarrez ce qui ne devait pas s’arrêter. Les nœuds qui tournent assurent tout entre-temps.',
  version: (versions) => `Version ${all(versions)}`,
  database: 'Base de données',
  answers: (ms) => `Répond en ${number(ms)} ms`,
  slowTodo:
    'Elle est lente : chaque page et chaque appel l’attend, et rien n’est perdu. Examinez la charge de PostgreSQL et le chemin jusqu’à elle.',
  log: 'Journal d’audit',
  verified: (entries) => count(entries, { one: 'entrée vérifiée', other: 'entrées vérifiées' }),
  unverified: 'Pas encore vérifié',
  unverifiedTodo: 'La première vérification vient dans les minutes.',
  witnesses: 'Témoins',
  none: 'Aucun',
  witnessed: (name, size) =>
    size === null ? `${name} : pas encore de nouvelles` : `${name} : vu jusqu’à l’entrée ${number(size)}`,
  cosigned: 'cosigné',
  witnessTodo:
    'Un témoin remarque si la base de données est ramenée en arrière : nommez-en un dans ASSENTRY_WITNESSES.',
  streams: 'Flux du journal',
  streamed: (name, delivered, size) => `${name} : ${number(delivered)} livrées sur ${number(size)}`,
  streamFails: (name, fault) => `${name} échoue (${fault}), d’abord`,
  streamTodo: 'Pour envoyer le journal à un SIEM, définissez ASSENTRY_LOG_STREAMS.',
  mail: 'E-mail',
  sends: 'Configuré',
  notSent: 'Non configuré',
  mailTodo:
    'Définissez ASSENTRY_SMTP_URL, pour que les personnes soient prévenues des demandes et reçoivent leurs liens par e-mail.',
  chat: 'Messagerie',
  chatTodo: 'On peut décider dans Slack ou Microsoft Teams : voyez « Chat » dans la documentation.',
  push: 'Notifications du navigateur',
  pushState: 'Chaque personne les active',
  pushLink: 'Les activer dans votre profil',
  deliveries: 'Envois',
  delivered: 'Rien n’a été abandonné',
  givenUp: (messages) => count(messages, { one: 'message a été abandonné', other: 'messages ont été abandonnés' }),
  deliveriesLink: 'Les renvoyer sous Webhooks',
  backups: 'Sauvegardes',
  noBackup: 'Pas encore de sauvegarde par « assentry backup »',
  noBackupTodo: 'Exécutez souvent « assentry backup », ou faites archiver la base de données par un outil à vous.',
  backupTodo: 'Restaurez et vérifiez-en une de temps en temps sur une autre machine.',
  mailFails: (fault) => `Échoue (${fault}), d’abord`,
  noticed: 'Remarqué',
  links: { servers: 'Aller aux serveurs', deliveries: 'Aller aux envois', audit: 'Aller au journal' },
};

export const purposes: typeof english.purposes = {
  delivery: 'Envois',
  reviews: 'Examens',
  workloads: 'Charges de travail',
};
