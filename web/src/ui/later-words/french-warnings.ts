import { namesOfSettings } from '#messages/setting-variables';
import { formatsIn } from '#protocol/model/text/formats';
import type * as english from './english-warnings.ts';

const { all, count, number } = formatsIn('fr');

export const formatWarning: typeof english.formatWarning = (warning, moment) => {
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
    case 'commands-by-part':
      return commandsByPart(all(warning.policies));
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
};

const commandsByPart = (policies: string) => ({
  what: `Des commandes shell sont autorisées d’après leur début ou une partie, dans : ${policies}`,
  means: 'Une commande qui commence seulement comme une commande autorisée s’exécute sans personne.',
  todo: 'Publiez de nouvelles versions avec runsOnly(request.args.command, […]).',
});
