import type { Language } from '../../../model/words/language.ts';
import * as english from './english.ts';
import * as german from './german.ts';

export type MailWords = typeof english.mail;

/** The words of mails in each language. */
export const mailWords: Record<Language, MailWords> = { en: english.mail, de: german.mail };
