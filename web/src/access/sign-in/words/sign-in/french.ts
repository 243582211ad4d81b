import type * as english from './english.ts';

const noMatch = 'L’e-mail et le mot de passe ne vont pas ensemble. Vérifiez les deux et réessayez.';

export const words: typeof english.words = {
  title: 'Connexion',
  note: 'Voyez ce qui attend votre décision.',
  email: 'E-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  byLink: 'Connexion avec votre lien…',
  emailMissing: 'Saisissez votre adresse e-mail.',
  passwordMissing: 'Saisissez votre mot de passe.',
  linkFailed:
    'Ce lien ne fonctionne plus : il a servi ou a expiré. Demandez-en un nouveau, ou connectez-vous ci-dessous.',
};

export const failures: typeof english.failures = {
  unauthenticated: noMatch,
  forbidden: noMatch,
  INVALID_INPUT: noMatch,
  'rate-limited': 'Trop d’essais. Attendez quelques minutes, puis réessayez.',
  unavailable: 'Assentry est injoignable. Vérifiez votre connexion, puis réessayez.',
};
