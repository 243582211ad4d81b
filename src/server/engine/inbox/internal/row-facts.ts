import { showFacts, type ShownFact } from '#protocol/model/key-facts/show-facts';
import type { ElicitationRow } from '../../../store/elicitation/row.ts';
import { policyTerms } from '../../elicitation/policy-terms.ts';
import { argumentsInOrder, type Question } from '../../elicitation/sealed-question.ts';
import type { Engine } from '../../engine.ts';

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
