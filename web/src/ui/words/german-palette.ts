import type * as english from './english-palette.ts';

export const palette: typeof english.palette = {
  title: 'Seite oder Aktion finden',
  placeholder: 'Was möchten Sie tun?',
  none: 'Nichts passt dazu.',
  note: 'Eine Seite wird geöffnet. Zu einer Schaltfläche wird nur gesprungen, damit von hier aus nichts entschieden wird.',
  groups: { go: 'Gehe zu', page: 'Auf dieser Seite' },
  places: {
    '/inbox': 'Eingang: für mich',
    '/inbox?view=all': 'Eingang: offene Anfragen',
    '/inbox?view=done': 'Verlauf',
    '/policies': 'Richtlinien',
    '/new-policy': 'Neue Richtlinie',
    '/people': 'Personen',
    '/people/new': 'Person hinzufügen',
    '/people/groups': 'Gruppen',
    '/people/absences': 'Vertretungen',
    '/people/servers': 'Server und Schlüssel',
    '/people/grants': 'Dauerfreigaben',
    '/people/stops': 'Notaus',
    '/people/break-glass': 'Notfallfreigaben',
    '/audit': 'Prüfung',
    '/start': 'Erste Schritte',
  },
};
