import { formatClauseInFrench } from './french-clauses.ts';
import { formatFaultInFrench, formatRuleInFrench } from './french-faults.ts';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = {
  clause: formatClauseInFrench,
  fault: formatFaultInFrench,
  rule: formatRuleInFrench,
};
