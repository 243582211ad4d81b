import { formatClauseInGerman } from './german-clauses.ts';
import { formatFaultInGerman, formatRuleInGerman } from './german-faults.ts';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = {
  clause: formatClauseInGerman,
  fault: formatFaultInGerman,
  rule: formatRuleInGerman,
};
