import { formatsIn } from '#platform/text/formats';
import type * as english from './english.ts';

const { count } = formatsIn('fr');

export const words: typeof english.words = {
  title: 'Votre profil',
  lead: 'Vos notifications, l’apparence de la console ici, et les endroits où votre session est ouverte.',
  name: 'Nom',
  nameNote:
    'Votre nom figure sur les reçus et dans le journal à côté de ce que vous décidez ; c’est donc l’administration qui le change, et non vous. Il en va de même de votre adresse e-mail et de votre rôle.',
};

export const devices: typeof english.devices = {
  title: 'Notifications sur vos appareils',
  note: 'Un appareil vous prévient des demandes qui vous attendent, même quand la console n’est pas ouverte. Une notification nomme l’outil, le serveur et le risque, jamais le contenu. Sur un téléphone, ajoutez d’abord Assentry à l’écran d’accueil.',
  turnOn: 'Activer pour ce navigateur',
  turnedOn: 'Ce navigateur montre désormais les notifications.',
  unsupported:
    'Ce navigateur ne peut pas afficher de notifications ici. Il faut https et, sur un iPhone, l’application de l’écran d’accueil.',
  denied:
    'Vous avez bloqué les notifications d’Assentry dans ce navigateur. Autorisez-les dans les réglages du site, puis rechargez.',
  this: 'Ce navigateur',
  since: 'Ajouté',
  test: (device) => `Envoyer un test à ${device}`,
  testSent: 'Un test est en route.',
  remove: (device) => `Désactiver pour ${device}`,
  removed: 'Cet appareil ne montre plus de notifications.',
};

export const settings: typeof english.settings = {
  title: 'Comment et quand on vous prévient',
  email: 'Me prévenir par e-mail',
  emailNote: 'Un e-mail nomme l’outil, le serveur, le risque et l’échéance, jamais le contenu.',
  noMails: 'Cette installation n’envoie pas d’e-mails. L’exploitation peut définir ASSENTRY_SMTP_URL.',
  testMail: 'M’envoyer une notification d’essai',
  testSent: 'Un test est en route.',
  language: 'Langue des notifications',
  timeZone: 'Fuseau horaire',
  timeZoneNote: 'Tapez une partie de son nom, par exemple une ville.',
  timeZoneUnknown: 'Choisissez un fuseau horaire de la liste.',
  digest: 'Regrouper les notifications',
  digests: { none: 'Non, me prévenir tout de suite', hourly: 'À chaque heure pleine', daily: 'À neuf heures du matin' },
  quiet: 'Respecter des heures calmes',
  quietNote: 'Les notifications attendent la fin des heures calmes. Les échéances ne bougent pas.',
  urgent: 'Me prévenir tout de suite des demandes urgentes',
  urgentNote:
    'Une politique peut marquer ses demandes comme urgentes. Elles arrivent aussi pendant les heures calmes et ne sont pas regroupées.',
  from: 'De',
  until: 'À',
  save: 'Enregistrer',
  saved: 'Enregistré.',
};

export const appearance: typeof english.appearance = {
  title: 'Apparence',
  note: 'Gardé dans ce navigateur.',
  theme: 'Thème',
  themes: { auto: 'Comme le système', light: 'Clair', dark: 'Sombre' },
  language: 'Langue de la console',
  density: 'Listes',
  densities: { comfortable: 'Aérées', compact: 'Compactes' },
  split: 'Afficher la liste et la demande côte à côte',
  splitNote: 'Sur les écrans d’au moins 1440 pixels de large.',
};

export const credentials: typeof english.credentials = {
  title: 'Vos identifiants pour les serveurs',
  note: 'Un serveur derrière la passerelle est appelé avec ce que vous avez saisi pour lui. Personne ne le revoit, pas même vous.',
  empty:
    'Un serveur demande vos identifiants quand vous l’appelez pour la première fois : votre client MCP montre alors un lien. Ils apparaissent ici.',
  stored: 'Enregistrés',
  used: 'première utilisation',
  unused: 'pas encore utilisés',
  refused: 'Remplacez-les : le serveur ne les a pas acceptés,',
  replace: (server) => `Remplacer pour ${server}`,
  replaced: 'Vos identifiants sont remplacés.',
  remove: (server) => `Supprimer pour ${server}`,
  removed: 'Vos identifiants sont supprimés.',
  next: (server) => `Nouveaux identifiants pour ${server}`,
  nextNote: 'Utilisés à partir du prochain appel, dans les dix secondes.',
  missing: 'Saisissez les nouveaux identifiants.',
  save: 'Remplacer les identifiants',
  cancel: 'Annuler',
};

export const passkeys: typeof english.passkeys = {
  title: 'Clés d’accès',
  note: 'Une clé d’accès vous connecte avec votre doigt, votre visage ou votre code PIN, et signe vos votes là où une politique l’exige. Elle reste sur votre appareil ou dans le nuage de son fabricant ; Assentry n’en a que la clé publique.',
  add: 'Ajouter une clé d’accès',
  name: 'Nom',
  nameNote: 'Pour la reconnaître ici.',
  nameMissing: 'Saisissez un nom.',
  create: 'Créer la clé d’accès',
  cancel: 'Annuler',
  addedNow: 'Votre clé d’accès est ajoutée.',
  remove: (name) => `Supprimer ${name}`,
  removed: 'La clé d’accès est supprimée, et vos autres sessions sont terminées.',
  elsewhere:
    'Connectez-vous et ajoutez-en une à cette adresse, car les navigateurs lient une clé d’accès au nom sous lequel elle est créée :',
  impossible:
    'Ouvrez Assentry dans un navigateur récent, par https et sous un nom, non une adresse IP : aucune clé d’accès ne peut être créée ici.',
};

export const totp: typeof english.totp = {
  title: 'Application d’authentification',
  note: 'Une application de votre téléphone qui montre un nouveau code toutes les trente secondes. Avec votre mot de passe, elle vous connecte là où un second facteur est exigé.',
  add: 'Préparer une application',
  since: 'Prête depuis',
  left: (codes) => `encore ${count(codes, { one: 'code de secours', other: 'codes de secours' })}`,
  renew: 'Remplacer les codes de secours',
  renewed: 'Vos anciens codes de secours ne comptent plus.',
  remove: 'Supprimer l’application',
  removed: 'L’application est supprimée, et les sessions ouvertes avec elle sont terminées.',
};

export const password: typeof english.password = {
  title: 'Mot de passe',
  note: 'Votre session reste ouverte ici et se termine partout ailleurs. Les notifications sur vos autres appareils prennent fin aussi.',
  current: 'Mot de passe actuel',
  currentMissing: 'Saisissez votre mot de passe actuel.',
  next: 'Nouveau mot de passe',
  submit: 'Changer le mot de passe',
  changed: 'Votre mot de passe est changé.',
};

export const sessions: typeof english.sessions = {
  title: 'Vos sessions',
  note: 'Déconnectez toute session que vous ne reconnaissez pas, puis changez votre mot de passe.',
  from: 'Ouverte depuis',
  nowhere: 'une adresse inconnue',
  signedIn: 'Connexion',
  lastSeen: 'dernière utilisation',
  end: (device) => `Déconnecter ${device}`,
  ended: 'Session terminée.',
  endOthers: 'Déconnecter partout ailleurs',
  othersEnded: 'Seule cette session reste ouverte.',
  methods: {
    password: 'Mot de passe',
    link: 'Lien à usage unique',
    passkey: 'Clé d’accès',
    oidc: 'Fournisseur d’identité',
  },
  secondFactors: {
    totp: 'application d’authentification',
    'recovery-code': 'code de secours',
  },
  assurances: {
    none: 'rien de personnel n’a été prouvé',
    'single-factor': 'un facteur',
    'multi-factor': 'deux facteurs',
  },
};
