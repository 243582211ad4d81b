import { namesOfSettings } from '#messages/setting-variables';
import { formatsIn } from '#protocol/model/text/formats';
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
  version: (versions) => `Version ${all(versions)}`,
  database: 'Base de données',
  answers: 'Répond',
  log: 'Journal d’audit',
  verified: (entries) => count(entries, { one: 'entrée vérifiée', other: 'entrées vérifiées' }),
  unverified: 'Pas encore vérifié',
  unverifiedTodo: 'La première vérification vient dans les minutes.',
  witnesses: 'Témoins',
  none: 'Aucun',
  witnessed: (name, size) =>
    size === null ? `${name} : pas encore de nouvelles` : `${name} : vu jusqu’à l’entrée ${number(size)}`,
  witnessTodo:
    'Un témoin remarque si la base de données est ramenée en arrière : nommez-en un dans ASSENTRY_WITNESSES.',
  streams: 'Flux du journal',
  streamed: (name, delivered, size) => `${name} : ${number(delivered)} livrées sur ${number(size)}`,
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
  keysLink: 'Aller aux serveurs',
  warning: (warning, moment) => {
    switch (warning.code) {
      case 'clock-differs':
        return {
          what: `L’horloge de ce nœud ${warning.seconds < 0 ? 'retarde' : 'avance'} de ${number(Math.abs(warning.seconds))} s sur celle de la base de données`,
          means: 'Les approbations ne sont pas touchées : les échéances suivent l’horloge de la base de données.',
          todo: 'Réglez l’horloge de sa machine.',
        };
      case 'log-stands-still':
        return {
          what: 'Le journal d’audit ne grandit pas',
          means:
            'Les demandes sont décidées et exécutées. Leurs entrées n’ont pas encore de preuve : les reçus attendent.',
          todo: 'Le journal d’un nœud dit pourquoi. Ce qui attend est dans la base de données ; rien n’est perdu.',
        };
      case 'notifications-stand-still':
        return {
          what: `Personne n’est prévenu de ${count(warning.changes, { one: 'changement', other: 'changements' })}, dont le premier depuis ${moment(warning.since)}`,
          means: 'Les demandes attendent dans la boîte de réception ; seuls ceux qui y regardent les trouvent.',
          todo: 'Le journal d’un nœud nomme la demande dont les notifications ne peuvent pas être préparées.',
        };
      case 'mails-fail':
        return {
          what: `Aucun e-mail n’arrive depuis ${moment(warning.since)} (${warning.fault})`,
          means:
            'Ceux qui comptent sur les e-mails ne sont pas prévenus des demandes, et les liens pour les mots de passe n’arrivent pas.',
          todo: 'Examinez le serveur de messagerie et ASSENTRY_SMTP_URL. Ce qui a été abandonné se renvoie sous « Webhooks ».',
        };
      case 'witness-silent':
        return {
          what: `Le journal n’est pas cosigné par ${all(warning.witnesses)}`,
          means:
            'Les approbations continuent. Jusqu’à ce qu’il cosigne, personne à l’extérieur ne remarquerait un retour de la base à un état ancien.',
          todo: 'Vérifiez que le témoin fonctionne, et ASSENTRY_WITNESSES.',
        };
      case 'nodes-differ':
        return {
          what: `Les nœuds diffèrent par : ${all(namesOfSettings(warning.settings, 'version'))}`,
          means: 'Les règles selon lesquelles une demande est décidée dépendent du nœud qui la reçoit.',
          todo: 'Terminez la mise à niveau, ou donnez à tous les nœuds les mêmes réglages.',
        };
      case 'keys-expire':
        return {
          what: `${count(warning.keys, { one: 'clé d’un serveur expire', other: 'clés de serveurs expirent' })} bientôt, la première le ${moment(warning.at)}`,
          means: 'Ensuite, les serveurs qui ont ces clés ne peuvent interroger personne, et leurs appels échouent.',
          todo: 'Créez les suivantes avant.',
        };
      case 'witness-disagrees':
        return {
          what: `Un journal plus long ou différent a été vu par ${all(warning.witnesses)}`,
          means: 'Des décisions peuvent manquer, ou être autres que celles qui ont été prises.',
          todo: 'La base de données a été ramenée à un état plus ancien, ou remplacée. Cherchez qui l’a fait.',
        };
      case 'stream-fails':
        return {
          what: `Le journal n’atteint pas ${all(warning.streams)}`,
          means: 'Les approbations continuent. Les entrées attendent dans le journal.',
          todo: '« assentry audit streams » dit pourquoi.',
        };
      case 'log-changed':
        return {
          what: 'Le journal d’audit, ou une ligne qui en découle, a été modifié',
          means:
            'Ce qu’il dit des approbations peut être faux. Une demande dont la ligne n’a pas de preuve n’est pas décidée.',
          todo: 'Traitez cela comme une intrusion : gardez la base de données telle quelle, et exécutez « assentry audit verify ».',
        };
    }
  },
};

export const purposes: typeof english.purposes = {
  delivery: 'Envois',
  reviews: 'Examens',
  workloads: 'Charges de travail',
};
