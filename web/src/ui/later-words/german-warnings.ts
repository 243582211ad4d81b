import { namesOfSettings } from '#messages/setting-variables';
import { formatsIn } from '#protocol/model/text/formats';
import type * as english from './english-warnings.ts';

const { all, count, number } = formatsIn('de');

export const formatWarning: typeof english.formatWarning = (warning, moment) => {
  switch (warning.code) {
    case 'clock-differs':
      return {
        what: `Die Uhr dieses Knotens geht gegenüber der Datenbank ${number(Math.abs(warning.seconds))} s ${warning.seconds < 0 ? 'nach' : 'vor'}`,
        means: 'Freigaben betrifft das nicht: Fristen folgen der Uhr der Datenbank.',
        todo: 'Stellen Sie die Uhr des Rechners.',
      };
    case 'log-stands-still':
      return {
        what: 'Das Audit-Log wächst nicht',
        means:
          'Anfragen werden entschieden und ausgeführt. Ihre Einträge haben noch keinen Nachweis, also warten Belege.',
        todo: 'Das eigene Log eines Knotens sagt, warum. Was wartet, ist in der Datenbank; nichts geht verloren.',
      };
    case 'notifications-stand-still':
      return {
        what: `Von ${count(warning.changes, { one: 'Änderung', other: 'Änderungen' })} erfährt niemand, von der ersten seit ${moment(warning.since)}`,
        means: 'Anfragen warten im Eingang, und wer nicht nachsieht, findet sie nicht.',
        todo: 'Das eigene Log eines Knotens nennt die Anfrage, deren Benachrichtigungen sich nicht planen lassen.',
      };
    case 'mails-fail':
      return {
        what: `Keine E-Mail kommt an, seit ${moment(warning.since)} (${warning.fault})`,
        means: 'Wer sich auf E-Mails verlässt, erfährt nicht von Anfragen, und Links für Passwörter kommen nicht an.',
        todo: 'Sehen Sie nach dem Mailserver und nach ASSENTRY_SMTP_URL. Was aufgegeben wurde, lässt sich unter „Webhooks“ erneut senden.',
      };
    case 'witness-silent':
      return {
        what: `Das Log wird nicht mitgezeichnet von ${all(warning.witnesses)}`,
        means:
          'Freigaben gehen weiter. Bis er wieder zeichnet, würde außerhalb niemand merken, wenn die Datenbank auf einen älteren Stand gebracht wird.',
        todo: 'Sehen Sie nach, ob der Zeuge läuft, und nach ASSENTRY_WITNESSES.',
      };
    case 'nodes-differ':
      return {
        what: `Knoten unterscheiden sich in: ${all(namesOfSettings(warning.settings, 'Version'))}`,
        means: 'Nach welchen Regeln eine Anfrage entschieden wird, hängt vom Knoten ab, der sie annimmt.',
        todo: 'Schließen Sie das Upgrade ab, oder geben Sie allen Knoten dieselben Einstellungen.',
      };
    case 'commands-by-part':
      return commandsByPart(all(warning.policies));
    case 'keys-expire':
      return {
        what: `${count(warning.keys, { one: 'Schlüssel eines Servers läuft', other: 'Schlüssel von Servern laufen' })} bald ab, der erste am ${moment(warning.at)}`,
        means: 'Danach können Server mit diesen Schlüsseln niemanden fragen, und ihre Aufrufe scheitern.',
        todo: 'Erstellen Sie vorher die nächsten Schlüssel.',
      };
    case 'witness-disagrees':
      return {
        what: `Ein längeres oder anderes Log hat gesehen: ${all(warning.witnesses)}`,
        means: 'Entscheidungen können fehlen oder andere sein, als getroffen wurden.',
        todo: 'Die Datenbank wurde auf einen älteren Stand gebracht oder ersetzt. Klären Sie, wer das war.',
      };
    case 'stream-fails':
      return {
        what: `Das Log erreicht nicht: ${all(warning.streams)}`,
        means: 'Freigaben gehen weiter. Die Einträge warten im Log.',
        todo: '„assentry audit streams“ sagt, warum.',
      };
    case 'log-changed':
      return {
        what: 'Das Audit-Log oder eine Zeile, die aus ihm folgt, wurde geändert',
        means:
          'Was es über Freigaben sagt, kann falsch sein. Eine Anfrage, deren Zeile keinen Nachweis hat, wird nicht entschieden.',
        todo: 'Behandeln Sie das als Einbruch: Lassen Sie die Datenbank, wie sie ist, und führen Sie „assentry audit verify“ aus.',
      };
  }
};

const commandsByPart = (policies: string) => ({
  what: `Shell-Befehle sind nach ihrem Anfang oder einem Teil erlaubt in: ${policies}`,
  means: 'Ein Befehl, der nur so beginnt wie ein erlaubter, läuft ohne einen Menschen.',
  todo: 'Veröffentlichen Sie neue Versionen mit runsOnly(request.args.command, […]).',
});
