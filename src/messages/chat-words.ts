import { chat as english } from './english-chat.ts';
import { chat as german } from './german-chat.ts';
import { chat as french } from './french-chat.ts';
import type { Language } from '#platform/text/language';

export type ChatWords = typeof english;

/** The words of messages in chats, in every language. */
export const chatWords: Record<Language, ChatWords> = { en: english, de: german, fr: french };
