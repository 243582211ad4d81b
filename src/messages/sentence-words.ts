import { formsWords } from '#locales/forms';
import { policiesClausesWords } from '#locales/policies-clauses';
import { formatFault, formatRuleWith } from './english-faults.ts';
import type { ApproverSource, Share } from '#policies/deciding/contract/clause';
import { formatsIn } from '#platform/text/formats';
import type { Language } from '#platform/text/language';
import * as clauses from './clause-parts.ts';
import type { SentenceWords } from './display-words.ts';

const languageOf = (language: Language): clauses.ClauseLanguage => ({
  words: policiesClausesWords[language],
  forms: formsWords[language],
  formats: formatsIn(language),
});

function wordsIn(language: Language): SentenceWords {
  const own = languageOf(language);
  return {
    clause: (clause) => clauses.formatClause(clause, own),
    fault: (fault) => formatFault(fault, own.forms),
    rule: (rule) => formatRuleWith(rule, own.forms),
  };
}

/** What is said of requests, policies and answers, in every language. */
export const sentenceWords: Record<Language, SentenceWords> = {
  en: wordsIn('en'),
  de: wordsIn('de'),
  fr: wordsIn('fr'),
};

/** One thing a policy says, as an English sentence. */
export const formatClause = sentenceWords.en.clause;

/** How many of whom, in English: "2 approvals from the group ops". */
export const formatNeed = (need: Share, approvers: readonly ApproverSource[]): string =>
  clauses.formatNeed(need, approvers, languageOf('en'));
