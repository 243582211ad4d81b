import { namesOfSettings } from '#messages/setting-variables';
import { formatsIn } from '#platform/text/formats';
import { createFormat, type Sentences } from '#messages/warning-sentences';

const { all, count, number } = formatsIn('fr');

const sentences: Sentences = {
  'clock-differs': (warning) => ({
    what: `L’horloge de ce nœud ${warning.seconds < 0 ? 'retarde' : 'avance'} de ${number(Math.abs(warning.seconds))} s sur celle de la base de données`,
    means: 'Les approbations ne sont pas touchées : les échéances suivent l’horloge de la base de données.',
    todo: 'Réglez l’horloge de sa machine.',
  }),
  'log-stands-still': () => ({
    what: 'Le journal d’audit ne grandit pas',
    means: 'Les demandes sont décidées et exécutées. Leurs entrées n’ont pas encore de preuve : les reçus attendent.',
    todo: 'Le journal d’un nœud dit pourquoi. Ce qui attend est dans la base de données ; rien n’est perdu.',
  }),
  'notifications-stand-still': (warning, moment) => ({
    what: `Personne n’est prévenu de ${count(warning.changes, { one: 'changement', other: 'changements' })}, dont le premier depuis ${moment(warning.since)}`,
    means: 'Les demandes attendent dans la boîte de réception ; seuls ceux qui y regardent les trouvent.',
    todo: 'Le journal d’un nœud nomme la demande dont les notifications ne peuvent pas être préparées.',
  }),
  'mails-fail': (warning, moment) => ({
    what: `Aucun e-mail n’arrive depuis ${moment(warning.since)} (${warning.fault})`,
    means:
      'Ceux qui comptent sur les e-mails ne sont pas prévenus des demandes, et les liens pour les mots de passe n’arrivent pas.',
    todo: 'Examinez le serveur de messagerie et ASSENTRY_SMTP_URL. Ce qui a été abandonné se renvoie sous « Webhooks ».',
  }),
  'mail-server-fails': (warning) => ({
    what: `Le serveur de messagerie refuse ce nœud (${warning.fault})`,
    means: 'Le prochain e-mail ne partira pas : ni les nouvelles des demandes, ni les liens pour les mots de passe.',
    todo: 'Vérifiez le serveur de messagerie et ASSENTRY_SMTP_URL.',
  }),
  'provider-fails': (warning) => ({
    what: `Aucune réponse de ${all(warning.providers)}`,
    means: 'Personne ne peut s’y connecter. Les personnes déjà connectées continuent.',
    todo: 'Vérifiez le fournisseur, le chemin vers lui et ASSENTRY_SIGN_IN_PROVIDERS.',
  }),
  'provider-untimed': (warning) => ({
    what: `${all(warning.providers)} ne dit pas quand les personnes ont prouvé leur identité`,
    means:
      'On s’y connecte, et il faut une clé d’accès ou une application d’authentification pour les actes qui demandent une nouvelle preuve.',
    todo: 'Faites envoyer « auth_time » dans le jeton d’identité par le fournisseur, s’il le peut.',
  }),
  'address-fails': (warning) => ({
    what: `L’adresse publique ne mène pas à Assentry (${warning.fault})`,
    means: 'Les liens des e-mails, des messageries et des clients MCP ne s’ouvrent pas.',
    todo: 'Vérifiez son entrée DNS, son certificat et le proxy, ainsi que ASSENTRY_PUBLIC_URL.',
  }),
  'backup-missing': (warning, moment) => ({
    what: warning.at === null ? 'Il n’y a pas de sauvegarde' : `La dernière sauvegarde date du ${moment(warning.at)}`,
    means: 'Si la base de données est perdue, ce qui a été décidé depuis l’est aussi.',
    todo: 'Exécutez « assentry backup » chaque jour, et lisez ce que la tâche a affiché.',
  }),
  'log-head-not-kept': () => ({
    what: 'Personne à l’extérieur ne conserve la tête du journal',
    means:
      'Si la base de données est ramenée à un état plus ancien, des décisions manquent et rien ne le remarquerait.',
    todo: 'Définissez ASSENTRY_LOG_HEAD, ASSENTRY_LOG_COPIES, ASSENTRY_LOG_BUCKET ou ASSENTRY_WITNESSES.',
  }),
  'loop-fails': (warning) => ({
    what: `Ce travail échoue sans cesse : ${all(warning.loops)}`,
    means: 'Les demandes sont décidées et exécutées. Ce à quoi sert ce travail est arrêté.',
    todo: 'Le journal du nœud dit pourquoi.',
  }),
  'witness-silent': (warning) => ({
    what: `Le journal n’est pas cosigné par ${all(warning.witnesses)}`,
    means:
      'Les approbations continuent. Jusqu’à ce qu’il cosigne, personne à l’extérieur ne remarquerait un retour de la base à un état ancien.',
    todo: 'Vérifiez que le témoin fonctionne, et ASSENTRY_WITNESSES.',
  }),
  'commands-by-part': (warning) => ({
    what: `Des commandes shell sont autorisées d’après leur début ou une partie, dans : ${all(warning.policies)}`,
    means: 'Une commande qui commence seulement comme une commande autorisée s’exécute sans personne.',
    todo: 'Publiez de nouvelles versions avec runsOnly(request.args.command, […]).',
  }),
  'nodes-differ': (warning) => ({
    what: `Les nœuds diffèrent par : ${all(namesOfSettings(warning.settings, 'version'))}`,
    means: 'Les règles selon lesquelles une demande est décidée dépendent du nœud qui la reçoit.',
    todo: 'Terminez la mise à niveau, ou donnez à tous les nœuds les mêmes réglages.',
  }),
  'keys-expire': (warning, moment) => ({
    what: `${count(warning.keys, { one: 'clé d’un serveur expire', other: 'clés de serveurs expirent' })} bientôt, la première le ${moment(warning.at)}`,
    means: 'Ensuite, les serveurs qui ont ces clés ne peuvent interroger personne, et leurs appels échouent.',
    todo: 'Créez les suivantes avant.',
  }),
  'witness-disagrees': (warning) => ({
    what: `Un journal plus long ou différent a été vu par ${all(warning.witnesses)}`,
    means: 'Des décisions peuvent manquer, ou être autres que celles qui ont été prises.',
    todo: 'La base de données a été ramenée à un état plus ancien, ou remplacée. Cherchez qui l’a fait.',
  }),
  'stream-fails': (warning) => ({
    what: `Le journal n’atteint pas ${all(warning.streams)}`,
    means: 'Les approbations continuent. Les entrées attendent dans le journal.',
    todo: '« assentry audit streams » dit pourquoi.',
  }),
  'reports-lost': (warning, moment) => ({
    what: `${count(warning.reports, { one: 'réponse d’un service n’a', other: 'réponses de services n’ont' })} atteint aucun appel, la première le ${moment(warning.since)}`,
    means:
      'Elles sont arrivées après la fin de leurs demandes, ou ne convenaient pas. Quelqu’un a peut-être payé pour rien.',
    todo: 'Cherchez « callback.late » et « callback.unfit » dans le journal d’audit : chaque demande dit ce qui a été annoncé.',
  }),
  'log-changed': () => ({
    what: 'Le journal d’audit, ou une ligne qui en découle, a été modifié',
    means:
      'Ce qu’il dit des approbations peut être faux. Une demande dont la ligne n’a pas de preuve n’est pas décidée.',
    todo: 'Traitez cela comme une intrusion : gardez la base de données telle quelle, et exécutez « assentry audit verify ».',
  }),
};

export const formatWarning = createFormat(sentences);
