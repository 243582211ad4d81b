import { locales, onFirstUse } from '#platform/text/formats';
import type { Language } from '#platform/text/language';

/** Made once, since making one takes longer than writing a mail, and only by a process that writes one. */
const formatIn = (language: Language) =>
  onFirstUse(
    () => new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
  );

const formats = { en: formatIn('en'), de: formatIn('de'), fr: formatIn('fr') };

/** A moment in words, in UTC. */
export const timeIn = (at: number, language: Language): string => formats[language]().format(at);
