import { formatsIn } from '#platform/text/formats';
import type * as english from './english-decide.ts';

const { all, count, duration, number } = formatsIn('fr');

const requests = { one: 'demande', other: 'demandes' };
const answers = { one: 'réponse', other: 'réponses' };

export const card: typeof english.card = {
  requester: 'Demandeur',
  tool: 'Exécute',
  on: 'sur',
  absent: 'non indiqué',
  items: (items) => count(items, { one: 'élément', other: 'éléments' }),
  empty: 'texte vide',
  cut: 'suite sur la page',
  saidBy: (server) => `${server} écrit :`,
  notShown: (values) =>
    `${count(values, { one: 'argument n’est pas montré', other: 'arguments ne sont pas montrés' })} ici, mais seulement sur la page.`,
  notShownAtAll: 'Les arguments ne sont pas montrés ici, mais seulement sur la page.',
  stray: (numbers) => `${all(numbers)} : ${numbers.length === 1 ? 'absent' : 'absents'} des arguments.`,
  verbs: (verbs) => `SQL : ${verbs.join(', ')}`,
  minor: {
    cents: (currency) => (currency === null ? 'en centimes' : `en centimes, pas en ${currency}`),
    micros: (currency) => (currency === null ? 'en millionièmes' : `en millionièmes de ${currency}`),
    minor: (currency) =>
      currency === null ? 'dans la plus petite unité' : `dans la plus petite unité, pas en ${currency}`,
  },
};

const newNames = { payee: 'Nouveau bénéficiaire', host: 'Nouvel hôte', path: 'Nouveau chemin' };

export const signals: typeof english.signals = {
  title: 'Comparé aux demandes passées',
  say: (signal) => {
    if (signal.kind === 'unchecked') return 'Demandeur non vérifié, contrairement à avant';
    if (signal.kind === 'reaches') return 'Le serveur exécute autre chose que lors de la dernière approbation';
    if (signal.kind === 'new') return newNames[signal.what];
    if (signal.kind === 'amount') return `${number(signal.times)} × l’habituel (${number(signal.usual)})`;
    if (signal.kind === 'burst')
      return `${signal.isMore ? 'Plus de ' : ''}${count(signal.calls, requests)} en 10 minutes`;
    return signal.kind === 'hour'
      ? `Heure inhabituelle : ${signal.time}`
      : 'Outil modifié depuis sa dernière approbation';
  },
  explain: (signal) => {
    if (signal.kind === 'reaches')
      return 'Ce que le serveur exécute, ou l’endroit où il se trouve, diffère du dernier appel approuvé.';
    if (signal.kind === 'new')
      return `${signal.label} : ${signal.value} n’est dans aucun des ${number(signal.of)} derniers appels approuvés de cet outil.`;
    if (signal.kind === 'amount')
      return `La médiane de ${signal.label} dans les ${number(signal.of)} derniers appels approuvés avec la même monnaie est ${number(signal.usual)}.`;
    if (signal.kind === 'unchecked')
      return `Le demandeur était vérifié dans chacun des ${number(signal.of)} derniers appels approuvés de cet outil.`;
    if (signal.kind === 'burst') return 'Le même demandeur a fait les autres dans les dix minutes précédentes.';
    if (signal.kind === 'hour')
      return `Aucune des ${number(signal.of)} dernières demandes n’est venue à moins de trois heures de cette heure.`;
    return 'Son titre, sa description, ses indications ou son schéma diffèrent de ceux du dernier appel approuvé.';
  },
  from: 'De',
  more: (requests) => `et ${number(requests)} autres`,
  note: 'Seules comptent les demandes que vous pouvez lire.',
  was: 'avant',
  added: 'nouveau',
};

export const decide: typeof english.decide = {
  title: 'Votre décision',
  fold: 'Masquer',
  unfold: 'Décider',
  openComment: 'Ajouter un commentaire',
  openTerms: 'Commentaire et options',
  hold: 'Appuyer 1 s',
  pressAgain: 'Appuyez encore pour approuver',
  keepHolding: 'Continuez d’appuyer',
  left: (left) => {
    if (left.kind === 'changed') return 'Lisez d’abord la nouvelle version';
    if (left.kind === 'passkey') return 'Ajoutez d’abord une clé d’accès';
    if (left.kind === 'read') return 'Lisez d’abord la suite';
    if (left.kind === 'comment') return 'Commentaire manquant';
    if (left.kind === 'typed') return `Tapez ${left.text}`;
    const { count: fields, first, isMissing } = left;
    if (!isMissing) return `${count(fields, answers)} à corriger : ${first}`;
    return `${count(fields, { one: 'réponse manquante', other: 'réponses manquantes' })} : ${fields === 1 ? first : `${first}, …`}`;
  },
  sign: 'Signer avec votre clé d’accès',
  signs: (tool) => `Signer avec votre clé d’accès : approuver ${tool}. Votre appareil demande une fois encore.`,
  final: 'Une fois exécuté, cela ne peut pas être annulé ici.',
  given: (filled, required) =>
    `${number(filled)} sur ${count(required, { one: 'champ obligatoire rempli', other: 'champs obligatoires remplis' })}.`,
  form: 'Ce que l’outil a besoin de savoir',
  formBroken:
    'Le formulaire de cette demande ne peut pas être montré ; vous ne pouvez donc pas l’approuver ici. Vous pouvez la refuser ou la retirer.',
  optional: 'facultatif',
  comment: 'Commentaire',
  commentNote: 'Nécessaire pour refuser. Visible par l’agent et le demandeur.',
  commentRule: (rule) => `${rule} Visible par l’agent et le demandeur.`,
  toType: (text) => `Tapez ${text} pour approuver.`,
  commentMissing: 'Dites pourquoi vous refusez, pour que l’agent et le demandeur sachent quoi changer.',
  approveWord: 'Approuver',
  approve: (tool) => `Approuver ${tool}`,
  decline: 'Refuser',
  cancel: 'Retirer la demande',
  before: 'Ce que fait chaque bouton',
  approves: (progress, allowFor) => {
    const done =
      allowFor === null
        ? 'laisse cet appel s’exécuter une fois, exactement comme montré.'
        : `laisse cet appel s’exécuter comme montré, et le même appel de nouveau sans question pendant ${duration(allowFor)}.`;
    if (progress === null) return done;
    const missing = progress.need - progress.have - 1;
    if (missing > 0)
      return `compte comme votre vote : c’est l’approbation ${number(progress.have + 1)} sur ${number(progress.need)} de cette étape.`;
    if (progress.stage >= progress.stages) return done;
    return 'compte comme votre vote et achève cette étape. L’appel s’exécute après les étapes restantes.';
  },
  declines: (isLast) =>
    isLast
      ? 'met fin à la demande. L’outil ne s’exécute pas, et l’agent reçoit votre commentaire.'
      : 'compte comme votre vote contre. La demande prend fin quand assez de personnes refusent.',
  voteAs: 'Le vote de qui',
  voteAsNote: 'Cette personne vous a délégué son vote. Les deux noms sont montrés.',
  ownName: 'Le mien',
  inPlaceOf: (name) => `Pour ${name}`,
  forSomeone: (name) => `pour ${name}`,
  cancels: 'Met fin à la demande sans réponse, définitivement. L’outil ne s’exécute pas.',
  faults: (faults) => `${count(faults, { one: 'champ demande', other: 'champs demandent' })} votre attention.`,
  armed: (verb) => `${verb} ? Appuyez sur Y pour confirmer, sur Échap pour annuler.`,
  more: 'Échéance',
  hour: 'Prolonger d’une heure',
  day: 'Prolonger d’un jour',
  extended: 'Échéance prolongée.',
};

export const field: typeof english.field = {
  yes: 'Oui',
  no: 'Non',
  noAnswer: 'Pas de réponse',
  choose: 'Choisir…',
  counted: (have, most) => `${number(have)} sur ${count(most, { one: 'caractère', other: 'caractères' })}`,
  zone: (zone) => `Dans votre fuseau horaire : ${zone}`,
};
