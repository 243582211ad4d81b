import type * as english from './english-provider.ts';

export const words: typeof english.words = {
  withProvider: (name) => `Se connecter avec ${name}`,
  withPassword: 'Se connecter avec un mot de passe',
  emergencyOnly: 'Pour le jour où le fournisseur est injoignable.',
  useProvider: 'Connectez-vous chez le fournisseur : les mots de passe sont pour le jour où il est injoignable.',
  goOn: 'Continuer sans lui',
  aProvider: 'Le fournisseur',
};

export const reasons: typeof english.reasons = {
  'provider-down': (provider) =>
    `Réessayez dans un instant : ${provider} ne répond pas. Si vous avez un mot de passe pour ce cas, utilisez-le.`,
  'provider-refused': (provider) =>
    `Réessayez, ou adressez-vous aux personnes qui gèrent ${provider} : la connexion n’y a pas abouti.`,
  'provider-answer-invalid': (provider) =>
    `Recommencez. Si cela se répète, dites-le à l’administration : la réponse de ${provider} n’a pas pu être vérifiée.`,
  'sign-in-outdated': () =>
    'Recommencez : cette connexion a été commencée dans un autre navigateur ou à une autre adresse, a déjà servi, ou a pris plus de dix minutes.',
  'not-invited': (provider) =>
    `Demandez à l’administration de vous ajouter : personne ici n’est relié à qui vous êtes chez ${provider}.`,
  'address-taken': (provider) =>
    `Connectez-vous comme avant, et reliez ${provider} dans votre profil : votre adresse est déjà celle de quelqu’un ici.`,
  'access-ended': () => 'Adressez-vous à l’administration : votre accès a pris fin.',
  'other-person': (provider) =>
    `Connectez-vous chez ${provider} comme vous-même : la personne qui est revenue n’est pas celle qui est connectée ici.`,
  'identity-taken': (provider) =>
    `Connectez-vous chez ${provider} comme vous-même : cette connexion appartient ici à quelqu’un d’autre.`,
  'not-proven-now': (provider) =>
    `Réessayez, et connectez-vous chez ${provider} quand il le demande : il n’a pas dit que vous venez de le faire.`,
};
