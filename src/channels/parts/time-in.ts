import { locales } from '../../model/words/formats.ts';
import type { Language } from '../../model/words/language.ts';

/** A moment in words, in UTC. */
export const timeIn = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }).format(at);
