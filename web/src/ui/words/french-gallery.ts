import type * as english from './english-gallery.ts';

export const gallery: typeof english.gallery = {
  payments: { title: 'Paiements', note: 'Au-dessus d’un montant, quelqu’un d’autre approuve.' },
  'payments-by-amount': {
    title: 'Paiements selon le montant',
    note: 'Les petits sont confirmés, les grands demandent deux personnes.',
  },
  'production-deploys': { title: 'Mises en production', note: 'L’administration approuve et dit pourquoi.' },
  'data-export': { title: 'Export de données', note: 'Chaque export demande une personne et un motif.' },
  deletion: { title: 'Suppression', note: 'Une personne approuve, et peut se raviser pendant 30 secondes.' },
  'outside-email': {
    title: 'E-mail vers l’extérieur',
    note: 'Le courrier qui sort de l’entreprise attend une personne.',
  },
  'filesystem-server': { title: 'Serveur de fichiers', note: 'Chaque modification de fichier attend une personne.' },
  'github-server': { title: 'Serveur GitHub', note: 'Ce qui touche un dépôt attend une personne.' },
  'slack-server': { title: 'Serveur Slack', note: 'Une personne approuve chaque message, et peut le corriger.' },
  'postgres-server': { title: 'Serveur Postgres', note: 'L’administration approuve tout sauf un simple SELECT.' },
  'browser-server': { title: 'Serveur de navigateur', note: 'Autres sites, envois et scripts attendent une personne.' },
};
