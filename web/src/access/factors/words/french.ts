import type * as english from './english.ts';

export const words: typeof english.words = {
  title: 'Terminer la connexion',
  prove: 'Presque fini : cette installation demande aussi un second facteur.',
  byPasskey: 'Utiliser votre clé d’accès',
  or: 'Ou avec votre application d’authentification :',
  lost: 'Perdu ? Demandez à l’administration, ou à l’exploitation, un lien qui réinitialise vos seconds facteurs.',
  enrol: 'Cette installation demande un second facteur. Ajoutez-en un maintenant ; il servira à chaque connexion.',
  passkey: 'Clé d’accès',
  passkeyNote:
    'Votre doigt, votre visage ou votre code PIN sur cet appareil ou sur une clé de sécurité. Elle ne fonctionne qu’à cette adresse : aucune fausse page ne peut vous la prendre.',
  addPasskey: 'Ajouter une clé d’accès',
  passkeyAdded: 'Votre clé d’accès est ajoutée. Utilisez-la une fois pour terminer.',
  app: 'Application d’authentification',
  appNote: 'Une application de votre téléphone qui montre un nouveau code toutes les trente secondes.',
  addApp: 'Préparer une application',
  signOut: 'Déconnexion',
};
