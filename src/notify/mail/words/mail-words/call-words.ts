import type { Language } from '#platform/text/language';
import * as english from '../english.ts';
import * as german from '../german.ts';
import * as french from '../french.ts';

/** The words of messages in chats. */
export const callWords: Record<Language, typeof english.call> = { en: english.call, de: german.call, fr: french.call };
