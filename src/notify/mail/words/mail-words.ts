import { notifyWords } from '#locales/notify';
import type { Language } from '#platform/text/language';

const { en, de, fr } = notifyWords;

export type MailWords = typeof en.mail;

/** The words of notifications in browsers in each language. */
export const pushWords: Record<Language, typeof en.push> = { en: en.push, de: de.push, fr: fr.push };

/** The words of mails in each language. */
export const mailWords: Record<Language, MailWords> = { en: en.mail, de: de.mail, fr: fr.mail };

const { en: callWordsEn, de: callWordsDe, fr: callWordsFr } = notifyWords;

/** The words of calls in each language. */
export const callWords: Record<Language, typeof callWordsEn.call> = {
  en: callWordsEn.call,
  de: callWordsDe.call,
  fr: callWordsFr.call,
};
