import { chatWords as words } from '#locales/chat';
import type { Language } from '#platform/text/language';
import type { TextWords } from './display-words.ts';
import { textWords } from './text-words.ts';

export type ChatWords = (typeof words)['en']['chat'] & Pick<TextWords, 'verification'>;

const wordsIn = (language: Language): ChatWords => ({
  ...words[language].chat,
  verification: textWords[language].verification,
});

/** The words of messages in chats, in every language. */
export const chatWords: Record<Language, ChatWords> = { en: wordsIn('en'), de: wordsIn('de'), fr: wordsIn('fr') };
