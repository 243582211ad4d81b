import { formatsIn } from '#platform/text/formats';
import type * as english from './english-system.ts';

const { all, count, number } = formatsIn('de');

export const system: typeof english.system = {
  title: 'System',
  lead: 'Worauf Assentry läuft, und was zu tun ist.',
  fine: 'Nichts zu tun',
  part: 'Teil',
  state: 'Zustand',
  todo: 'Was zu tun ist',
  nodes: 'Knoten',
  running: (nodes) => count(nodes, { one: 'Knoten läuft', other: 'Knoten laufen' }),
  silentNodes: (nodes) => `${count(nodes, { one: 'Knoten ist', other: 'Knoten sind' })} verstummt, zuletzt`,
  silentTodo: 'Starten Sie wieder, was nicht enden sollte. Bis dahin übernehmen die laufenden Knoten alles.',
  version: (versions) => `Version ${all(versions)}`,
  database: 'Datenbank',
  answers: (ms) => `Antwortet in ${number(ms)} ms`,
  slowTodo:
    'Sie ist langsam: Jede Seite und jeder Aufruf wartet auf sie, und nichts geht verloren. Sehen Sie nach der Last von PostgreSQL und dem Weg dorthin.',
  log: 'Audit-Log',
  verified: (entries) => `${count(entries, { one: 'Eintrag', other: 'Einträge' })} geprüft`,
  unverified: 'Noch nicht geprüft',
  unverifiedTodo: 'Die erste Prüfung läuft in den nächsten Minuten.',
  witnesses: 'Zeugen',
  none: 'Keine',
  witnessed: (name, size) =>
    size === null ? `${name}: noch keine Antwort` : `${name}: gesehen bis Eintrag ${number(size)}`,
  cosigned: 'mitgezeichnet',
  witnessTodo: 'Ein Zeuge bemerkt, wenn die Datenbank zurückgesetzt wird: Nennen Sie einen in ASSENTRY_WITNESSES.',
  streams: 'Log-Streams',
  streamed: (name, delivered, size) => `${name}: ${number(delivered)} von ${number(size)} zugestellt`,
  streamFails: (name, fault) => `${name} scheitert (${fault}), zuerst`,
  streamTodo: 'Für ein SIEM setzen Sie ASSENTRY_LOG_STREAMS.',
  mail: 'E-Mail',
  sends: 'Eingerichtet',
  notSent: 'Nicht eingerichtet',
  mailTodo: 'Setzen Sie ASSENTRY_SMTP_URL, damit Anfragen und Links per E-Mail kommen.',
  chat: 'Chat',
  chatTodo: 'In Slack oder Microsoft Teams kann entschieden werden: siehe „Chat“ in der Dokumentation.',
  push: 'Browser-Benachrichtigungen',
  pushState: 'Jede Person schaltet sie selbst ein',
  pushLink: 'In Ihrem Profil einschalten',
  deliveries: 'Zustellungen',
  delivered: 'Nichts wurde aufgegeben',
  givenUp: (messages) => count(messages, { one: 'Nachricht wurde aufgegeben', other: 'Nachrichten wurden aufgegeben' }),
  deliveriesLink: 'Unter „Webhooks“ erneut senden',
  backups: 'Backups',
  noBackup: 'Noch keines mit „assentry backup“',
  noBackupTodo:
    'Führen Sie „assentry backup“ oft aus, oder lassen Sie die Datenbank mit einem eigenen Werkzeug sichern.',
  backupTodo: 'Stellen Sie ab und zu eines auf einem anderen Rechner wieder her, und prüfen Sie es.',
  mailFails: (fault) => `Scheitert (${fault}), zuerst`,
  noticed: 'Bemerkt',
  links: { servers: 'Zu den Servern', deliveries: 'Zu den Zustellungen', audit: 'Zum Protokoll' },
};

export const purposes: typeof english.purposes = {
  delivery: 'Zustellung',
  reviews: 'Prüfungen',
  workloads: 'Workloads',
};
