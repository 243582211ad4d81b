import { formatsIn } from '#platform/text/formats';
import type * as english from './english-webhooks.ts';

const { count } = formatsIn('fr');

export const webhooks: typeof english.webhooks = {
  title: 'Webhooks',
  lead: 'Programmes prévenus de chaque demande qui attend des personnes : son serveur, son outil, sa politique, son risque et son état, jamais son contenu.',
  empty: 'Aucun webhook',
  emptyNote: 'Ajoutez-en un ci-dessous, ou avec « assentry webhook add ».',
  receiver: 'Destinataire',
  unreadable: 'Illisible ici',
  format: 'Format',
  formats: {
    standard: 'Standard Webhooks (signé)',
    chat: 'Message de messagerie',
  },
  added: 'Ajouté',
  steps: 'Actions',
  test: 'Envoyer un test',
  tested: 'Un test est en route.',
  remove: 'Supprimer',
  removeNote: 'Plus rien ne lui est envoyé, pas même ce qui attend déjà.',
  confirm: 'Supprimer le webhook',
  keep: 'Le garder',
  removed: 'Webhook supprimé.',
  form: 'Ajouter un webhook',
  url: 'Adresse',
  urlNote: 'Elle commence par https://. Ensuite, seul l’hôte est montré, car le reste peut être secret.',
  language: 'Langue',
  key: 'Clé d’intégration',
  keyNote: 'D’un service dans PagerDuty : 32 lettres et chiffres.',
  add: 'Ajouter le webhook',
  saved: 'Webhook ajouté.',
  secretTitle: 'Donnez ce secret au destinataire',
  secretNote:
    'Il vérifie ce qui est envoyé. Il n’est montré qu’une fois ; s’il est perdu, ajoutez de nouveau le webhook.',
  secret: 'Secret',
};

export const deliveries: typeof english.deliveries = {
  title: 'Envois',
  show: 'Afficher',
  latest: 'Les derniers appels de webhooks',
  failed: 'Abandonnés, e-mails et navigateurs compris',
  none: {
    empty: 'Pas encore d’appel',
    emptyNote: 'La prochaine demande qui attend des personnes est envoyée. Vous pouvez aussi envoyer un test.',
  },
  noneFailed: {
    empty: 'Rien n’a été abandonné',
    emptyNote: 'Ce qui ne peut pas être envoyé en une demi-journée apparaît ici.',
  },
  to: 'À',
  gone: 'N’existe plus',
  about: 'Au sujet de',
  at: 'Quand',
  status: 'État',
  channels: { email: 'E-mail', push: 'Navigateur', webhook: 'Webhook' },
  kinds: {
    turn: 'Décision nécessaire',
    reminder: 'Rappel',
    outcome: 'Comment cela s’est terminé',
    review: 'Politique à relire',
    key: 'Clé qui expire',
    tool: 'Outil modifié',
    members: 'Membres à confirmer',
    report: 'Réponse sans appel',
    'sign-in': 'Connexion modifiée',
    link: 'Lien pour un mot de passe',
    test: 'Test',
  },
  state({ state, failures, fault }) {
    if (state === 'sent') return 'Envoyé';
    if (state === 'moot') return 'Plus nécessaire';
    if (state === 'failed') return `Abandonné : ${fault ?? ''}`;
    return failures === 0 ? 'En attente' : `En attente après ${count(failures, failed)} : ${fault ?? ''}`;
  },
  todo: {
    address: 'Si ce réseau est le vôtre, nommez-le dans ASSENTRY_WEBHOOK_NETWORKS à chaque nœud.',
    expired: 'Faites renouveler son certificat.',
    'other-name': 'Corrigez l’adresse : son certificat est pour un autre nom.',
    authority: 'Nommez l’autorité de son certificat dans NODE_EXTRA_CA_CERTS à chaque nœud.',
    name: 'Voyez si le nom est juste et si les nœuds le résolvent.',
    unreachable: 'Voyez si le destinataire fonctionne et si les nœuds l’atteignent.',
    credential: 'Voyez s’il accepte encore ce mot de passe, ce jeton ou ce secret.',
    gone: 'Retirez-la ou ajoutez la bonne adresse : il n’y a plus rien à celle-ci.',
    chat: 'Donnez à chaque nœud les réglages de cette messagerie.',
  },
  replay: 'Renvoyer',
  replayAll: (failures) => `Tout renvoyer (${failures})`,
  replayed: 'Renvoyé.',
};

const failed = { one: 'échec', other: 'échecs' };
