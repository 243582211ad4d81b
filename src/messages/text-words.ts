import { textsWords } from '#locales/texts';
import type { Language } from '#platform/text/language';
import { describeLookalike } from '#platform/text/lookalike-words';
import { formatVerification } from '#people/directory/contract/user';
import type { TextWords } from './display-words.ts';

function wordsIn(language: Language): TextWords {
  const { hiddenNames, lookalikes, verification } = textsWords[language];
  return {
    verification: (requester) => formatVerification(requester, verification),
    lookalike: (word) => describeLookalike(word, lookalikes),
    hiddenNames,
  };
}

/** What is said of people and characters wherever a stored text is shown, in every language. */
export const textWords: Record<Language, TextWords> = { en: wordsIn('en'), de: wordsIn('de'), fr: wordsIn('fr') };
