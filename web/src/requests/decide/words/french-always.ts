import { formatsIn } from '#platform/text/formats';
import type { AlwaysChoices } from '#policies/contract/documents';
import type * as english from './english-always.ts';

type Choice = Pick<AlwaysChoices['choices'][number], 'kind' | 'value'>;

const { all } = formatsIn('fr');

const limits: Record<Choice['kind'], (value: string) => string> = {
  folder: (value) => `Dans le dossier ${value}`,
  site: (value) => `Sur le site ${value}`,
  repository: (value) => `Dans le dépôt ${value}`,
  account: (value) => `Pour ${value}`,
  command: (value) => `Exactement la commande ${value}`,
  amount: (value) => `Jusqu’à ${value}`,
  same: () => 'Exactement cet appel',
};

export const always: typeof english.always = {
  title: 'Toujours, pour les appels comme celui-ci',
  lead: 'Écrivez une règle, pour que les prochains appels comme celui-ci s’exécutent sans question. Elle se limite à ce que vous choisissez ici, et elle a une fin.',
  open: 'Toujours pour …',
  limit: 'Limitée à',
  limits: ({ kind, value }, tools) =>
    tools.length === 0 ? limits[kind](value) : `${limits[kind](value)}, aussi par ${all(tools)}`,
  days: 'Pendant',
  daysOf: (days) => `${days} jours`,
  none: 'Aucune règle ne peut être tirée de cet appel. Il supprime quelque chose, lance ce qui prend d’autres commandes, ou rien en lui ne peut limiter la règle.',
  freed: (freed, of) =>
    of === 0
      ? 'Il n’y a pas d’appels antérieurs de cet outil à comparer.'
      : `Elle aurait laissé s’exécuter sans question ${freed} des ${of} derniers appels de cet outil :`,
  more: (count) => `et ${count} autres`,
  document: 'La politique',
  commandRuns:
    'La commande reste la même ; ce qu’elle exécute peut changer, comme un script ou un package.json que l’agent peut modifier.',
  publish: 'Autoriser ces appels',
  consequence:
    'Pendant un essai, elle vaut tout de suite. En production, une deuxième personne de l’administration la relit d’abord.',
  holds: 'Elle vaut dès maintenant.',
  waits: 'Elle attend la relecture d’une deuxième personne de l’administration.',
  show: (policy) => `Ouvrir ${policy}`,
  close: 'Fermer',
  ask: 'L’administration peut écrire une règle pour les appels comme celui-ci. Envoyez-lui ce lien :',
};
