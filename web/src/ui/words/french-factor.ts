import type * as english from './english-factor.ts';

export const factor: typeof english.factor = {
  code: 'Code',
  codeNote:
    'Les six chiffres que montre maintenant votre application d’authentification, ou l’un de vos codes de secours.',
  codeMissing: 'Saisissez le code.',
  codeWrong: 'Attendez le code suivant et saisissez-le : celui-ci est faux, ou a déjà servi.',
  wait: 'Attendez quelques minutes, puis réessayez : il y a eu trop de codes faux.',
  confirm: 'Confirmer',
  proven: 'Confirmé.',
  scan: 'Scannez ceci avec votre application d’authentification, par exemple Microsoft Authenticator, 1Password ou Aegis.',
  picture: 'Code QR pour votre application d’authentification',
  type: 'Ou tapez cette clé dans l’application. Elle n’est montrée que maintenant.',
  first: 'Code que montre l’application',
  firstNote: 'Six chiffres. Ils prouvent que l’application est prête.',
  add: 'Ajouter l’application',
  added: 'Votre application d’authentification est ajoutée.',
  cancel: 'Annuler',
  codesTitle: 'Gardez vos codes de secours',
  codesNote:
    'Chaque code remplace une fois votre application d’authentification, le jour où vous la perdez. Ils ne sont montrés que maintenant : imprimez-les ou mettez-les dans votre gestionnaire de mots de passe.',
  codesKept: 'Je les ai gardés',
};
