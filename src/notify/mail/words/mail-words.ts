import type { Language } from '#platform/text/language';
import * as english from './english.ts';
import * as german from './german.ts';
import * as french from './french.ts';

export type MailWords = typeof english.mail;

/** The words of notifications in browsers in each language. */
export const pushWords: Record<Language, typeof english.push> = { en: english.push, de: german.push, fr: french.push };

/** The words of mails in each language. */
export const mailWords: Record<Language, MailWords> = { en: english.mail, de: german.mail, fr: french.mail };

/** The words of messages in chats. */
export const callWords: Record<Language, typeof english.call> = { en: english.call, de: german.call, fr: french.call };
