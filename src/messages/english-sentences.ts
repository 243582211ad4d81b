import { formatClause } from './english-clauses.ts';
import { formatFault, formatRule } from './english-faults.ts';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = { clause: formatClause, fault: formatFault, rule: formatRule };
