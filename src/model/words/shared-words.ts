import type { FieldFault, FieldRule } from '../field-fault.ts';
import { hiddenNames } from '../hidden-characters.ts';
import type { Lookalike } from '../lookalikes.ts';
import type { PolicyClause } from '../policy-clause.ts';
import { problemSentences, type ProblemCode } from '../problem.ts';
import { refusalSentences, type RefusalCode } from '../refusal.ts';
import { sayVerification, type Requester } from '../user.ts';
import { lookalikeNote } from '../visible-text.ts';
import { sayClause } from './english-clauses.ts';
import { sayFault, sayRule } from './english-faults.ts';
import { germanHiddenNames, germanLookalikeNote } from './german-characters.ts';
import { sayClauseInGerman } from './german-clauses.ts';
import { sayFaultInGerman, sayRuleInGerman } from './german-faults.ts';
import { germanProblems } from './german-problems.ts';
import { sayVerificationInGerman } from './german-people.ts';
import { germanRefusals } from './german-refusals.ts';
import type { Language } from './language.ts';

/** Words that several displays share: the console, the hosted pages, chat, the command line. */
export interface SharedWords {
  clause(clause: PolicyClause): string;
  fault(fault: FieldFault): string;
  rule(rule: FieldRule): string;
  problems: Record<ProblemCode, string>;
  refusals: Record<RefusalCode, string>;
  /** How certain the requester's identity is. */
  verification(requester: Pick<Requester, 'verified' | 'verifiedBy'>): string;
  /** What is shown next to a word that may imitate another. */
  lookalike(word: Lookalike): string;
  /** Names of the better known hidden characters. */
  hiddenNames: Record<string, string>;
}

export const sharedWords: Record<Language, SharedWords> = {
  en: {
    clause: sayClause,
    fault: sayFault,
    rule: sayRule,
    problems: problemSentences,
    refusals: refusalSentences,
    verification: sayVerification,
    lookalike: lookalikeNote,
    hiddenNames,
  },
  de: {
    clause: sayClauseInGerman,
    fault: sayFaultInGerman,
    rule: sayRuleInGerman,
    problems: germanProblems,
    refusals: germanRefusals,
    verification: sayVerificationInGerman,
    lookalike: germanLookalikeNote,
    hiddenNames: germanHiddenNames,
  },
};
