import type * as english from './english-provider.ts';

export const words: typeof english.words = {
  withProvider: (name: string) => `Anmelden mit ${name}`,
  withPassword: 'Mit Passwort anmelden',
  emergencyOnly: 'Für den Tag, an dem der Anbieter nicht erreichbar ist.',
  useProvider: 'Melden Sie sich beim Anbieter an: Passwörter sind für den Tag, an dem er nicht erreichbar ist.',
  goOn: 'Ohne das weitermachen',
  aProvider: 'Der Anbieter',
};

export const reasons: typeof english.reasons = {
  'provider-down': (provider: string) =>
    `Versuchen Sie es gleich noch einmal: ${provider} antwortet nicht. Wenn Sie für diesen Fall ein Passwort haben, benutzen Sie es.`,
  'provider-refused': (provider: string) =>
    `Versuchen Sie es noch einmal, oder fragen Sie die Betreuer von ${provider}: Sie wurden dort nicht angemeldet.`,
  'provider-answer-invalid': (provider: string) =>
    `Beginnen Sie noch einmal. Wiederholt sich das, sagen Sie es der Administration: Die Antwort von ${provider} ließ sich nicht prüfen.`,
  'sign-in-outdated': () =>
    'Beginnen Sie noch einmal: Diese Anmeldung begann in einem anderen Browser oder unter einer anderen Adresse, wurde schon benutzt oder hat über zehn Minuten gedauert.',
  'not-invited': (provider: string) =>
    `Bitten Sie die Administration, Sie aufzunehmen: Mit Ihrer Anmeldung bei ${provider} ist hier niemand verbunden.`,
  'address-taken': (provider: string) =>
    `Melden Sie sich an wie bisher, und verbinden Sie ${provider} in Ihrem Profil: Jemand mit Ihrer Adresse ist schon hier.`,
  'access-ended': () => 'Fragen Sie die Administration: Ihr Zugang wurde beendet.',
  'other-person': (provider: string) =>
    `Melden Sie sich bei ${provider} als Sie selbst an: Zurückgekommen ist jemand anderes, als hier angemeldet ist.`,
  'identity-taken': (provider: string) =>
    `Melden Sie sich bei ${provider} als Sie selbst an: Diese Anmeldung gehört hier jemand anderem.`,
  'not-proven-now': (provider: string) =>
    `Versuchen Sie es noch einmal, und melden Sie sich bei ${provider} an, wenn Sie gefragt werden: Es wurde nicht gesagt, dass Sie das gerade taten.`,
};
