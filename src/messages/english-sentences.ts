import { sayClause } from './english-clauses.ts';
import { sayFault, sayRule } from '#protocol/form/english-faults';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = { clause: sayClause, fault: sayFault, rule: sayRule };
