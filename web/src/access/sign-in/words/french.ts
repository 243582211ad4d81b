import type * as english from './english.ts';

export const page: typeof english.page = {
  title: 'Choisissez votre mot de passe',
  note: 'Personne d’autre ne le connaîtra, pas même la personne qui vous a donné le lien. Votre session s’ouvrira ici et se terminera partout ailleurs.',
  submit: 'Définir le mot de passe et se connecter',
  noLink: 'Ouvrez le lien que vous avez reçu',
  noLinkNote:
    'Vous définissez votre mot de passe avec un lien à usage unique de l’administration. Si c’est déjà fait, connectez-vous.',
  linkFailed: 'Ce lien n’est pas valable. Il a servi, a été remplacé par un plus récent, ou a expiré.',
  linkFailedNote: 'Demandez un nouveau lien à l’administration.',
};
