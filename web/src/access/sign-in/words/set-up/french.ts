import type * as english from './english.ts';

export const page: typeof english.page = {
  title: 'Installer Assentry',
  note: 'Créez le premier compte d’administration : il peut décider des demandes et ajouter d’autres personnes.',
  name: 'Nom',
  nameNote: 'Affiché à côté de vos décisions.',
  email: 'E-mail',
  submit: 'Créer le compte',
  noLink: 'Ouvrez le lien qu’Assentry a affiché à son démarrage',
  noLinkNote:
    'L’installation a besoin du lien à usage unique de la sortie du serveur, pour que seule la personne qui l’exécute puisse devenir le premier compte d’administration. Si c’est déjà fait, connectez-vous.',
  linkFailed: 'Ce lien ne fonctionne plus : il a servi ou a expiré. Redémarrez le serveur pour en obtenir un nouveau.',
  nameMissing: 'Saisissez votre nom.',
  emailMissing: 'Saisissez une adresse e-mail, par exemple name@example.com.',
};
