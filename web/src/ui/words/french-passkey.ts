import type * as english from './english-passkey.ts';

export const fresh: typeof english.fresh = {
  title: 'Confirmez que c’est vous pour continuer. Rien n’a été envoyé.',
  note: 'Ce que vous avez saisi est gardé. Après la confirmation, appuyez de nouveau sur le même bouton.',
  password: 'Mot de passe',
  confirm: 'Confirmer',
  byPasskey: 'Confirmer avec une clé d’accès',
  factor: 'Confirmez votre second facteur pour continuer. Rien n’a été envoyé.',
  done: 'Confirmé. Appuyez de nouveau sur le même bouton.',
  atProvider: (name) => `Confirmez avec ${name} que c’est vous. Rien n’a été envoyé.`,
  atProviderNote:
    'Vous revenez à cette page, puis vous appuyez de nouveau sur le même bouton. Copiez ce que vous avez saisi : cette page ne le garde pas.',
  providerDown: (name) => `${name} ne répond pas. Réessayez dans un instant.`,
  goToProvider: (name) => `Confirmer avec ${name}`,
  vouched: (acr) =>
    `La politique exige une connexion chez votre fournisseur d’identité, qu’il confirme comme ${acr}. Rien n’a été envoyé.`,
  connectFirst: 'Reliez d’abord un fournisseur d’identité dans votre profil.',
};

export const passkeys: typeof english.passkeys = {
  signIn: 'Se connecter avec une clé d’accès',
  added: 'Ajoutée',
  used: 'dernière utilisation',
  unused: 'pas encore utilisée',
  kept: {
    synced: 'Dans un gestionnaire de mots de passe',
    syncable: 'Sur un seul appareil, peut être synchronisée',
    device: 'Sur un seul appareil, sans copie',
  },
  notSigned:
    'Rien n’a été signé : l’opération a été annulée, ou cet appareil n’a pas de clé d’accès pour Assentry. Réessayez.',
};

export const device: typeof english.device = {
  named: (browser, system) => `${browser} sur ${system}`,
  unknown: 'Navigateur inconnu',
};
