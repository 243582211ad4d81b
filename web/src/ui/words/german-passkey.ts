import type * as english from './english-passkey.ts';

export const fresh: typeof english.fresh = {
  title: 'Bestätigen Sie, dass Sie es sind, um fortzufahren. Noch wurde nichts gesendet.',
  note: 'Ihre Eingaben bleiben erhalten. Drücken Sie nach der Bestätigung noch einmal auf dieselbe Schaltfläche.',
  password: 'Passwort',
  confirm: 'Bestätigen',
  byPasskey: 'Mit einem Passkey bestätigen',
  factor: 'Bestätigen Sie Ihren zweiten Faktor, um fortzufahren. Noch wurde nichts gesendet.',
  done: 'Bestätigt. Drücken Sie noch einmal auf dieselbe Schaltfläche.',
  atProvider: (name: string) => `Bestätigen Sie mit ${name}, dass Sie es sind. Noch wurde nichts gesendet.`,
  atProviderNote:
    'Sie kommen auf diese Seite zurück und drücken dann noch einmal auf dieselbe Schaltfläche. Kopieren Sie Ihre Eingaben: Diese Seite behält sie nicht.',
  providerDown: (name: string) => `${name} antwortet nicht. Versuchen Sie es gleich noch einmal.`,
  goToProvider: (name: string) => `Mit ${name} bestätigen`,
  vouched: (acr: string) =>
    `Die Richtlinie verlangt eine Anmeldung bei Ihrem Identitätsanbieter, die er als ${acr} bestätigt. Noch wurde nichts gesendet.`,
  connectFirst: 'Verbinden Sie zuerst in Ihrem Profil einen Identitätsanbieter.',
};

export const passkeys: typeof english.passkeys = {
  signIn: 'Mit einem Passkey anmelden',
  added: 'Hinzugefügt',
  used: 'zuletzt benutzt',
  unused: 'noch nicht benutzt',
  kept: {
    synced: 'In einem Passwortmanager',
    syncable: 'Auf einem Gerät, kann synchronisiert werden',
    device: 'Nur auf einem Gerät',
  },
  notSigned:
    'Es wurde nichts unterschrieben: Der Vorgang wurde abgebrochen, oder dieses Gerät hat keinen Passkey für Assentry. Versuchen Sie es noch einmal.',
};

export const device: typeof english.device = {
  named: (browser, system) => `${browser} auf ${system}`,
  unknown: 'Unbekannter Browser',
};
