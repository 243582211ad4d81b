import { accessProvidersWords } from '#locales/access-providers';
import { language } from '../../../language/language.ts';

/** Loaded only where there are providers. */
export const { reasons, words } = accessProvidersWords[language];
