import { formatsIn } from '#platform/text/formats';
import type * as english from './english-webhooks.ts';

const { count } = formatsIn('de');

export const webhooks: typeof english.webhooks = {
  title: 'Webhooks',
  lead: 'Programme, die von jeder wartenden Anfrage erfahren: Server, Tool, Richtlinie, Risiko und Status, nie den Inhalt.',
  empty: 'Keine Webhooks',
  emptyNote: 'Fügen Sie unten einen hinzu, oder mit „assentry webhook add“.',
  receiver: 'Empfänger',
  unreadable: 'Hier nicht lesbar',
  format: 'Format',
  formats: {
    standard: 'Standard Webhooks (signiert)',
    chat: 'Chatnachricht',
  },
  added: 'Hinzugefügt',
  steps: 'Aktionen',
  test: 'Test senden',
  tested: 'Ein Test ist unterwegs.',
  remove: 'Entfernen',
  removeNote: 'Er erfährt nichts mehr, auch nicht, was noch aussteht.',
  confirm: 'Webhook entfernen',
  keep: 'Behalten',
  removed: 'Webhook entfernt.',
  form: 'Webhook hinzufügen',
  url: 'Adresse',
  urlNote: 'Sie beginnt mit https://. Später wird nur der Rechner gezeigt, denn der Rest kann geheim sein.',
  language: 'Sprache',
  key: 'Integrationsschlüssel',
  keyNote: 'Aus einem Dienst bei PagerDuty: 32 Buchstaben und Ziffern.',
  add: 'Hinzufügen',
  saved: 'Webhook hinzugefügt.',
  secretTitle: 'Geben Sie dieses Geheimnis dem Empfänger',
  secretNote:
    'Es beweist, wer sendet. Es wird nur einmal gezeigt; ging es verloren, fügen Sie den Webhook noch einmal hinzu.',
  secret: 'Geheimnis',
};

export const deliveries: typeof english.deliveries = {
  title: 'Zustellungen',
  show: 'Anzeigen',
  latest: 'Die letzten Aufrufe von Webhooks',
  failed: 'Aufgegeben, auch E-Mails und Browser',
  none: {
    empty: 'Noch keine Aufrufe',
    emptyNote: 'Die nächste wartende Anfrage wird gemeldet; oder senden Sie einen Test.',
  },
  noneFailed: {
    empty: 'Nichts wurde aufgegeben',
    emptyNote: 'Hier erscheint, was sich einen halben Tag lang nicht senden ließ.',
  },
  to: 'An',
  gone: 'Nicht mehr vorhanden',
  about: 'Worüber',
  at: 'Wann',
  status: 'Status',
  channels: { email: 'E-Mail', push: 'Browser', webhook: 'Webhook' },
  kinds: {
    turn: 'Entscheidung nötig',
    reminder: 'Erinnerung',
    outcome: 'Ausgang',
    review: 'Richtlinie zu prüfen',
    key: 'Schlüssel läuft ab',
    tool: 'Tool geändert',
    members: 'Mitglieder zu bestätigen',
    report: 'Meldung ohne Aufruf',
    'sign-in': 'Anmeldung geändert',
    link: 'Link für ein Passwort',
    test: 'Test',
  },
  state({ state, failures, fault }) {
    if (state === 'sent') return 'Gesendet';
    if (state === 'moot') return 'Nicht mehr nötig';
    if (state === 'failed') return `Aufgegeben: ${fault ?? ''}`;
    return failures === 0 ? 'Wartet' : `Wartet nach ${count(failures, failed)}: ${fault ?? ''}`;
  },
  todo: {
    address: 'Wenn das Netz Ihres ist, nennen Sie es an jedem Knoten in ASSENTRY_WEBHOOK_NETWORKS.',
    expired: 'Lassen Sie das Zertifikat erneuern.',
    'other-name': 'Berichtigen Sie die Adresse: Das Zertifikat gilt für einen anderen Namen.',
    authority: 'Nennen Sie die Zertifizierungsstelle an jedem Knoten in NODE_EXTRA_CA_CERTS.',
    name: 'Sehen Sie nach, ob der Name stimmt und ob die Knoten ihn auflösen.',
    unreachable: 'Sehen Sie nach, ob das Ziel läuft und ob die Knoten es erreichen.',
    credential: 'Sehen Sie nach, ob das Ziel dieses Passwort, Token oder Geheimnis noch annimmt.',
    gone: 'Entfernen Sie die Adresse oder fügen Sie die richtige hinzu: Dort ist nichts mehr.',
    chat: 'Geben Sie jedem Knoten die Einstellungen dieses Chats.',
  },
  replay: 'Noch einmal senden',
  replayAll: (failures) => `Alle ${failures} noch einmal senden`,
  replayed: 'Noch einmal gesendet.',
};

const failed = { one: 'Fehlversuch', other: 'Fehlversuchen' };
