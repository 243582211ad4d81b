import { sayClauseInGerman } from './german-clauses.ts';
import { sayFaultInGerman, sayRuleInGerman } from './german-faults.ts';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = {
  clause: sayClauseInGerman,
  fault: sayFaultInGerman,
  rule: sayRuleInGerman,
};
