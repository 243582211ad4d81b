import type * as english from './english-provider.ts';

export const providers: typeof english.providers = {
  title: 'Anmeldung bei einem Anbieter',
  note: 'Wo Sie sich anmelden, statt hier ein Passwort einzugeben. Sie verbinden einen Anbieter, indem Sie sich dort anmelden.',
  connected: 'Verbunden',
  used: 'zuletzt benutzt',
  notConnected: 'Nicht verbunden',
  connect: (name: string) => `${name} verbinden`,
  remove: (name: string) => `${name} trennen`,
  signedIn: (name: string) => `Angemeldet mit ${name}`,
  removed: 'Getrennt.',
};
