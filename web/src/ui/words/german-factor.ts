import type * as english from './english-factor.ts';

export const factor: typeof english.factor = {
  code: 'Code',
  codeNote: 'Die sechs Ziffern, die Ihre Authenticator-App gerade zeigt, oder einer Ihrer Wiederherstellungscodes.',
  codeMissing: 'Geben Sie den Code ein.',
  codeWrong:
    'Warten Sie auf den nächsten Code und geben Sie diesen ein: Der eingegebene ist falsch oder wurde schon benutzt.',
  wait: 'Warten Sie einige Minuten und versuchen Sie es dann noch einmal: Es waren zu viele falsche Codes.',
  confirm: 'Bestätigen',
  proven: 'Bestätigt.',
  scan: 'Scannen Sie dies mit Ihrer Authenticator-App, etwa Microsoft Authenticator, 1Password oder Aegis.',
  picture: 'QR-Code für Ihre Authenticator-App',
  type: 'Oder tippen Sie diesen Schlüssel in die App. Er wird nur jetzt gezeigt.',
  first: 'Code, den die App zeigt',
  firstNote: 'Sechs Ziffern. Sie beweisen, dass die App eingerichtet ist.',
  add: 'App hinzufügen',
  added: 'Ihre Authenticator-App ist hinzugefügt.',
  cancel: 'Abbrechen',
  codesTitle: 'Bewahren Sie Ihre Wiederherstellungscodes auf',
  codesNote:
    'Jeder Code gilt einmal anstelle Ihrer Authenticator-App, falls Sie diese verlieren. Sie werden nur jetzt gezeigt: Drucken Sie sie aus oder legen Sie sie in Ihrem Passwortmanager ab.',
  codesKept: 'Ich habe sie aufbewahrt',
};
