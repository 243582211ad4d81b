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
    '/history': 'Verlauf',
    '/insights': 'Auswertung',
    '/policies': 'Richtlinien',
    '/new-policy': 'Neue Richtlinie',
    '/settings/people': 'Personen',
    '/settings/people/new': 'Person hinzufügen',
    '/settings/groups': 'Gruppen',
    '/settings/absences': 'Vertretungen',
    '/settings/servers': 'Server und Schlüssel',
    '/settings/grants': 'Dauerfreigaben',
    '/settings/stops': 'Notaus',
    '/settings/webhooks': 'Webhooks und Zustellungen',
    '/settings/overrides': 'Notfallfreigaben',
    '/audit': 'Prüfung',
    '/account': 'Ihr Profil',
    '/start': 'Erste Schritte',
  },
};
