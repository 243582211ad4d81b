import { requestsLookWords } from '#locales/requests-look';
import { language } from '../../../language/language.ts';

/** Words of the first look at a server's tools. */
export const { firstLook } = requestsLookWords[language];
