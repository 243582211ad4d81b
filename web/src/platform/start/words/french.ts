import type * as english from './english.ts';

export const words: typeof english.words = {
  title: 'Premiers pas',
  lead: 'Quatre étapes jusqu’à votre première demande. Vous pouvez quitter cette page et y revenir à tout moment.',
  administratorsOnly: 'Seule l’administration peut installer Assentry.',
  inbox: 'Aller aux demandes à traiter',
};

export const steps: typeof english.steps = { done: '(fait)', again: 'Afficher de nouveau' };

export const connect: typeof english.connect = {
  title: 'Relier un serveur',
  note: 'Créez une clé pour votre serveur MCP, puis collez le code pour votre client.',
  done: 'Un serveur a une clé. Il n’a pas encore appelé.',
  connected: (server) => `${server} est relié. Dernier appel :`,
  server: 'Nom du serveur',
  create: 'Créer la clé',
  another: 'Créer une autre clé',
  key: 'Clé',
  shownOnce: (server) =>
    `La clé de ${server}. Elle n’est montrée qu’une fois : copiez-la maintenant. Le code ci-dessous la contient aussi.`,
};

export const snippets: typeof english.snippets = {
  group: 'Client',
  kinds: {
    typescript: 'TypeScript',
    claude: 'Claude',
    cursor: 'Cursor',
    vscode: 'VS Code',
    inspector: 'Inspector',
    curl: 'curl',
  },
  notes: {
    typescript:
      'D’abord npm install assentry @modelcontextprotocol/sdk zod. La clé vient des réglages de votre client. À enregistrer sous',
    claude: 'Pour Claude Code ; Claude Desktop lit la même chose dans claude_desktop_config.json. À enregistrer sous',
    cursor: 'Dans votre projet. À enregistrer sous',
    vscode: 'Dans votre projet. À enregistrer sous',
    inspector: 'Exécute votre serveur dans MCP Inspector.',
    curl: 'Ouvre une demande sans aucun code.',
  },
};

export const test: typeof english.test = {
  title: 'Envoyer une demande d’essai',
  note: 'Une vraie demande d’un serveur intégré : lisez-la, puis approuvez ou refusez. Rien ne s’exécute.',
  done: 'Vous avez vu une demande du début à la fin.',
  send: 'Envoyer une demande d’essai',
  again: 'En envoyer une autre',
  open: 'Ouvrir la demande',
};

export const people: typeof english.people = {
  title: 'Inviter une deuxième personne',
  note: 'Pendant un essai, vous pouvez approuver ce que demandent vos propres clés. En production, quelqu’un d’autre doit le faire. Les politiques sont toujours relues par quelqu’un d’autre.',
  done: 'Il y a une deuxième personne.',
  add: 'Ajouter une personne',
  alone: 'Vous êtes la seule personne de l’administration qui puisse se connecter',
  aloneNote:
    'Vous pouvez dès maintenant décider des demandes, créer des clés et ajouter des personnes. Ce qui a besoin d’une deuxième personne de l’administration attend qu’elle ait défini un mot de passe : avant tout, la relecture des politiques. D’ici là, l’exploitation peut publier des politiques avec : assentry policy apply FILE.',
};

export const policy: typeof english.policy = {
  title: 'Écrire votre première politique',
  note: 'Partez d’un exemple et adaptez-le. Elle ne décide rien tant que quelqu’un d’autre ne l’a pas relue.',
  done: 'Il y a une politique à vous.',
};
