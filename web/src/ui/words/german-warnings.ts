import { namesOfSettings } from '#messages/setting-variables';
import { formatsIn } from '#platform/text/formats';
import { createFormat, type Sentences } from '#messages/warning-sentences';

const { all, count, number } = formatsIn('de');

const sentences: Sentences = {
  'clock-differs': (warning) => ({
    what: `Die Uhr dieses Knotens geht gegenüber der Datenbank ${number(Math.abs(warning.seconds))} s ${warning.seconds < 0 ? 'nach' : 'vor'}`,
    means: 'Freigaben betrifft das nicht: Fristen folgen der Uhr der Datenbank.',
    todo: 'Stellen Sie die Uhr des Rechners.',
  }),
  'log-stands-still': () => ({
    what: 'Das Audit-Log wächst nicht',
    means: 'Anfragen werden entschieden und ausgeführt. Ihre Einträge haben noch keinen Nachweis, also warten Belege.',
    todo: 'Das eigene Log eines Knotens sagt, warum. Was wartet, ist in der Datenbank; nichts geht verloren.',
  }),
  'notifications-stand-still': (warning, moment) => ({
    what: `Von ${count(warning.changes, { one: 'Änderung', other: 'Änderungen' })} erfährt niemand, von der ersten seit ${moment(warning.since)}`,
    means: 'Anfragen warten im Eingang, und wer nicht nachsieht, findet sie nicht.',
    todo: 'Das eigene Log eines Knotens nennt die Anfrage, deren Benachrichtigungen sich nicht planen lassen.',
  }),
  'mails-fail': (warning, moment) => ({
    what: `Keine E-Mail kommt an, seit ${moment(warning.since)} (${warning.fault})`,
    means: 'Wer sich auf E-Mails verlässt, erfährt nicht von Anfragen, und Links für Passwörter kommen nicht an.',
    todo: 'Sehen Sie nach dem Mailserver und nach ASSENTRY_SMTP_URL. Was aufgegeben wurde, lässt sich unter „Webhooks“ erneut senden.',
  }),
  'mail-server-fails': (warning) => ({
    what: `Der Mailserver lässt diesen Knoten nicht ein (${warning.fault})`,
    means: 'Die nächste E-Mail wird nicht gesendet: weder Nachrichten von Anfragen noch Links für Passwörter.',
    todo: 'Sehen Sie nach dem Mailserver und nach ASSENTRY_SMTP_URL.',
  }),
  'provider-fails': (warning) => ({
    what: `Keine Antwort von ${all(warning.providers)}`,
    means: 'Dort kann sich niemand anmelden. Wer angemeldet ist, arbeitet weiter.',
    todo: 'Sehen Sie nach dem Anbieter, dem Weg zu ihm und nach ASSENTRY_SIGN_IN_PROVIDERS.',
  }),
  'provider-untimed': (warning) => ({
    what: `${all(warning.providers)} sagt nicht, wann sich jemand ausgewiesen hat`,
    means:
      'Man meldet sich dort an, und braucht für alles, was einen neuen Nachweis verlangt, einen Passkey oder eine Authenticator-App.',
    todo: 'Lassen Sie den Anbieter „auth_time“ im ID-Token senden, wenn er es kann.',
  }),
  'address-fails': (warning) => ({
    what: `Die öffentliche Adresse führt nicht zu Assentry (${warning.fault})`,
    means: 'Links in E-Mails, Chats und MCP-Clients öffnen sich nicht.',
    todo: 'Sehen Sie nach DNS-Eintrag, Zertifikat und Proxy, und nach ASSENTRY_PUBLIC_URL.',
  }),
  'backup-missing': (warning, moment) => ({
    what: warning.at === null ? 'Es gibt keine Sicherung' : `Die letzte Sicherung ist von ${moment(warning.at)}`,
    means: 'Geht die Datenbank verloren, ist auch verloren, was seitdem entschieden wurde.',
    todo: 'Führen Sie täglich „assentry backup“ aus, und lesen Sie, was der Auftrag ausgegeben hat.',
  }),
  'log-head-not-kept': () => ({
    what: 'Niemand außerhalb bewahrt den Kopf des Logs auf',
    means: 'Wird die Datenbank auf einen älteren Stand gebracht, fehlen Entscheidungen, und nichts würde es merken.',
    todo: 'Setzen Sie ASSENTRY_LOG_HEAD, ASSENTRY_LOG_COPIES, ASSENTRY_LOG_BUCKET oder ASSENTRY_WITNESSES.',
  }),
  'loop-fails': (warning) => ({
    what: `Diese Arbeit scheitert immer wieder: ${all(warning.loops)}`,
    means: 'Anfragen werden entschieden und ausgeführt. Wofür diese Arbeit da ist, steht still.',
    todo: 'Das eigene Log des Knotens sagt, warum.',
  }),
  'witness-silent': (warning) => ({
    what: `Das Log wird nicht mitgezeichnet von ${all(warning.witnesses)}`,
    means:
      'Freigaben gehen weiter. Bis er wieder zeichnet, würde außerhalb niemand merken, wenn die Datenbank auf einen älteren Stand gebracht wird.',
    todo: 'Sehen Sie nach, ob der Zeuge läuft, und nach ASSENTRY_WITNESSES.',
  }),
  'commands-by-part': (warning) => ({
    what: `Shell-Befehle sind nach ihrem Anfang oder einem Teil erlaubt in: ${all(warning.policies)}`,
    means: 'Ein Befehl, der nur so beginnt wie ein erlaubter, läuft ohne einen Menschen.',
    todo: 'Veröffentlichen Sie neue Versionen mit runsOnly(request.args.command, […]).',
  }),
  'nodes-differ': (warning) => ({
    what: `Knoten unterscheiden sich in: ${all(namesOfSettings(warning.settings, 'Version'))}`,
    means: 'Nach welchen Regeln eine Anfrage entschieden wird, hängt vom Knoten ab, der sie annimmt.',
    todo: 'Schließen Sie das Upgrade ab, oder geben Sie allen Knoten dieselben Einstellungen.',
  }),
  'keys-expire': (warning, moment) => ({
    what: `${count(warning.keys, { one: 'Schlüssel eines Servers läuft', other: 'Schlüssel von Servern laufen' })} bald ab, der erste am ${moment(warning.at)}`,
    means: 'Danach können Server mit diesen Schlüsseln niemanden fragen, und ihre Aufrufe scheitern.',
    todo: 'Erstellen Sie vorher die nächsten Schlüssel.',
  }),
  'witness-disagrees': (warning) => ({
    what: `Ein längeres oder anderes Log hat gesehen: ${all(warning.witnesses)}`,
    means: 'Entscheidungen können fehlen oder andere sein, als getroffen wurden.',
    todo: 'Die Datenbank wurde auf einen älteren Stand gebracht oder ersetzt. Klären Sie, wer das war.',
  }),
  'stream-fails': (warning) => ({
    what: `Das Log erreicht nicht: ${all(warning.streams)}`,
    means: 'Freigaben gehen weiter. Die Einträge warten im Log.',
    todo: '„assentry audit streams“ sagt, warum.',
  }),
  'reports-lost': (warning, moment) => ({
    what: `${count(warning.reports, { one: 'Meldung eines Dienstes hat', other: 'Meldungen von Diensten haben' })} keinen Aufruf erreicht, die erste am ${moment(warning.since)}`,
    means: 'Sie kamen nach dem Ende ihrer Anfragen oder passten nicht. Vielleicht hat jemand umsonst bezahlt.',
    todo: 'Suchen Sie im Audit-Log nach „callback.late“ und „callback.unfit“: Jede Anfrage sagt, was gemeldet wurde.',
  }),
  'log-changed': () => ({
    what: 'Das Audit-Log oder eine Zeile, die aus ihm folgt, wurde geändert',
    means:
      'Was es über Freigaben sagt, kann falsch sein. Eine Anfrage, deren Zeile keinen Nachweis hat, wird nicht entschieden.',
    todo: 'Behandeln Sie das als Einbruch: Lassen Sie die Datenbank, wie sie ist, und führen Sie „assentry audit verify“ aus.',
  }),
};

export const formatWarning = createFormat(sentences);
