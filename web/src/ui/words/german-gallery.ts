import type * as english from './english-gallery.ts';

export const gallery: typeof english.gallery = {
  payments: { title: 'Zahlungen', note: 'Ab einem Betrag gibt jemand anderes frei.' },
  'payments-by-amount': {
    title: 'Zahlungen nach Betrag',
    note: 'Kleine werden bestätigt, große brauchen zwei Personen.',
  },
  'production-deploys': { title: 'Auslieferung in Produktion', note: 'Die Administration gibt frei und sagt warum.' },
  'data-export': { title: 'Datenexport', note: 'Jeder Export braucht eine Person und einen Grund.' },
  deletion: { title: 'Löschen', note: 'Eine Person gibt frei und kann es 30 Sekunden lang zurücknehmen.' },
  'outside-email': { title: 'E-Mail nach außen', note: 'E-Mails, die das Haus verlassen, warten auf eine Person.' },
  'filesystem-server': { title: 'Dateisystem-Server', note: 'Jede Änderung an Dateien wartet auf eine Person.' },
  'github-server': { title: 'GitHub-Server', note: 'Was ein Repository erreicht, wartet auf eine Person.' },
  'slack-server': { title: 'Slack-Server', note: 'Eine Person gibt jede Nachricht frei und kann sie vorher ändern.' },
  'postgres-server': {
    title: 'Postgres-Server',
    note: 'Die Administration gibt alles außer einem einfachen SELECT frei.',
  },
  'browser-server': { title: 'Browser-Server', note: 'Fremde Seiten, Uploads und Skripte warten auf eine Person.' },
};
