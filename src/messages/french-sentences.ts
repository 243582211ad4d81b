import { sayClauseInFrench } from './french-clauses.ts';
import { sayFaultInFrench, sayRuleInFrench } from './french-faults.ts';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = {
  clause: sayClauseInFrench,
  fault: sayFaultInFrench,
  rule: sayRuleInFrench,
};
