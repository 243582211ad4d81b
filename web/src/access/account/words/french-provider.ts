import type * as english from './english-provider.ts';

export const providers: typeof english.providers = {
  title: 'Connexion avec un fournisseur',
  note: 'Où vous vous connectez au lieu de saisir un mot de passe ici. Pour en relier un, connectez-vous-y.',
  connected: 'Relié',
  used: 'dernière utilisation',
  notConnected: 'Non relié',
  connect: (name) => `Relier ${name}`,
  remove: (name) => `Délier ${name}`,
  signedIn: (name) => `Connecté avec ${name}`,
  removed: 'Délié.',
};
