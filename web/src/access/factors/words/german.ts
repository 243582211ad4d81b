import type * as english from './english.ts';

export const words: typeof english.words = {
  title: 'Anmeldung abschließen',
  prove: 'Fast geschafft: Diese Installation verlangt noch einen zweiten Faktor.',
  byPasskey: 'Passkey verwenden',
  or: 'Oder mit Ihrer Authenticator-App:',
  lost: 'Verloren? Bitten Sie die Administration oder den Betreiber um einen Link, der Ihre zweiten Faktoren zurücksetzt.',
  enrol:
    'Diese Installation verlangt einen zweiten Faktor. Fügen Sie jetzt einen hinzu; Sie verwenden ihn bei jeder Anmeldung.',
  passkey: 'Passkey',
  passkeyNote:
    'Ihr Finger, Ihr Gesicht oder Ihre PIN auf diesem Gerät oder einem Sicherheitsschlüssel. Er gilt nur unter dieser Adresse, darum kann ihn Ihnen keine falsche Seite abnehmen.',
  addPasskey: 'Passkey hinzufügen',
  passkeyAdded: 'Ihr Passkey ist hinzugefügt. Verwenden Sie ihn einmal, um abzuschließen.',
  app: 'Authenticator-App',
  appNote: 'Eine App auf Ihrem Telefon, die alle dreißig Sekunden einen neuen Code zeigt.',
  addApp: 'App einrichten',
  signOut: 'Abmelden',
};
