import { hiddenNames } from '../hidden-characters.ts';
import { sayVerification } from '../user.ts';
import { lookalikeNote } from '../visible-text.ts';
import { sayClause } from './english-clauses.ts';
import { sayFault, sayRule } from './english-faults.ts';
import type { SentenceWords } from './display-words.ts';

export const sentenceWords: SentenceWords = {
  clause: sayClause,
  fault: sayFault,
  rule: sayRule,
  verification: sayVerification,
  lookalike: lookalikeNote,
  hiddenNames,
};
