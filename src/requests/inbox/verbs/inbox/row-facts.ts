import { showFacts, type ShownFact } from '../../../facts/contract/shown/show-facts.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { policyTerms } from '../../../state/verbs/permissions/policy-terms.ts';
import { argumentsInOrder, type Question } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

/** How many facts a row of a list has room for. */
const maxRowFacts = 3;

/** Characters. Arguments that are longer are read on the request's page alone: a list parses fifty at a time. */
const maxArgumentsLength = 16_384;

/** The first of the facts that stand next to the buttons, for a row of a list. */
export function rowFacts(engine: Pick<Engine, 'ring'>, row: ElicitationRow, question: Question): ShownFact[] {
  if (question.arguments.length > maxArgumentsLength) return [];
  const { facts } = policyTerms(engine, row);
  return showFacts(argumentsInOrder(question), facts, question.facts, maxRowFacts);
}
