import type * as english from './english.ts';

export const words: typeof english.words = {
  title: 'Erste Schritte',
  lead: 'Vier Schritte bis zu Ihrer ersten eigenen Anfrage. Sie können diese Seite verlassen und jederzeit wiederkommen.',
  administratorsOnly: 'Nur die Administration kann Assentry einrichten.',
  inbox: 'Zum Eingang',
};

export const steps: typeof english.steps = { done: '(erledigt)', again: 'Noch einmal zeigen' };

export const connect: typeof english.connect = {
  title: 'Server anbinden',
  note: 'Erstellen Sie einen Schlüssel für Ihren MCP-Server, und fügen Sie dann den Code für Ihren Client ein.',
  done: 'Ein Server hat einen Schlüssel. Angefragt hat er noch nicht.',
  connected: (server) => `${server} ist angebunden. Letzter Aufruf:`,
  server: 'Name des Servers',
  create: 'Schlüssel erstellen',
  another: 'Weiteren Schlüssel erstellen',
  key: 'Schlüssel',
  shownOnce: (server) =>
    `Der Schlüssel von ${server}. Er wird nur einmal gezeigt: Kopieren Sie ihn jetzt. Im Code unten steht er auch.`,
};

export const snippets: typeof english.snippets = {
  group: 'MCP-Client',
  kinds: {
    typescript: 'TypeScript',
    claude: 'Claude',
    cursor: 'Cursor',
    vscode: 'VS Code',
    inspector: 'Inspector',
    curl: 'curl',
  },
  notes: {
    typescript:
      'Zuerst npm install assentry @modelcontextprotocol/sdk zod. Der Schlüssel kommt aus den Einstellungen Ihres Clients. Speichern als',
    claude: 'Für Claude Code; Claude Desktop liest dasselbe aus claude_desktop_config.json. Speichern als',
    cursor: 'In Ihrem Projekt. Speichern als',
    vscode: 'In Ihrem Projekt. Speichern als',
    inspector: 'Führt Ihren Server im MCP Inspector aus.',
    curl: 'Stellt eine Anfrage ohne eigenen Code.',
  },
};

export const test: typeof english.test = {
  title: 'Testanfrage senden',
  note: 'Eine echte Anfrage von einem eingebauten Server: Lesen Sie sie, und geben Sie sie frei oder lehnen Sie sie ab. Nichts wird ausgeführt.',
  done: 'Sie haben eine Anfrage von Anfang bis Ende gesehen.',
  send: 'Testanfrage senden',
  again: 'Noch eine senden',
  open: 'Anfrage öffnen',
};

export const people: typeof english.people = {
  title: 'Zweite Person einladen',
  note: 'Zum Ausprobieren können Sie selbst freigeben, was Ihre Schlüssel anfragen. Im Produktivbetrieb muss das jemand anderes tun. Richtlinien prüft immer jemand anderes.',
  done: 'Es gibt eine zweite Person.',
  add: 'Person hinzufügen',
  alone: 'Außer Ihnen kann sich niemand aus der Administration anmelden',
  aloneNote:
    'Sie können schon Anfragen entscheiden, Schlüssel erstellen und Personen hinzufügen. Was eine zweite Person aus der Administration braucht, wartet, bis diese ein Passwort hat: vor allem die Prüfung von Richtlinien. Bis dahin kann der Betrieb Richtlinien veröffentlichen: assentry policy apply DATEI.',
};

export const policy: typeof english.policy = {
  title: 'Erste Richtlinie schreiben',
  note: 'Beginnen Sie mit einem Beispiel, und passen Sie es an. Es entscheidet nichts, bevor jemand anderes es geprüft hat.',
  done: 'Es gibt eine eigene Richtlinie.',
};
