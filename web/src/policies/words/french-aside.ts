import type { Risk } from '#requests/asking/contract/elicitation';
import type { PolicyAside } from '#policies/contract/policy';
import type { formatAside as english } from '#messages/english-aside';
import { formatsIn } from '#platform/text/formats';

const { all } = formatsIn('fr');

/** Why a policy that was tried does not decide a call, and what to do about it. */
export const formatAside: typeof english = (aside) => `Cette politique ne compte pas ici : ${because(aside)}`;

function because(aside: PolicyAside): string {
  switch (aside.kind) {
    case 'other-calls':
      return 'son match vise d’autres appels.';
    case 'condition':
      return aside.clauses.length === 0 ? 'sa condition est fausse.' : `ceci est faux : ${all(aside.clauses)}.`;
    case 'failed':
      return `sa condition n’a pas pu être évaluée. ${aside.failure}`;
    case 'ceiling':
      return `elle va jusqu’au risque ${risks[aside.ceiling]}, et cet appel est de risque ${risks[aside.risk]}. Pour qu’elle compte, écrivez : ceiling: ${aside.risk}`;
    case 'other-failed':
      return `rien ne s’exécute sans question tant que ${aside.policy} ne peut pas être évaluée.`;
    case 'outranked':
      return `${aside.policy} décide.`;
  }
}

const risks: Record<Risk, string> = { low: 'faible', medium: 'moyen', high: 'élevé' };
