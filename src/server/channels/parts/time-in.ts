import { locales } from '#protocol/model/text/formats';
import type { Language } from '#protocol/model/text/language';

const formatIn = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });

/** Made once, since making one takes longer than writing a mail. */
const formats: Record<Language, Intl.DateTimeFormat> = { en: formatIn('en'), de: formatIn('de'), fr: formatIn('fr') };

/** A moment in words, in UTC. */
export const timeIn = (at: number, language: Language): string => formats[language].format(at);
