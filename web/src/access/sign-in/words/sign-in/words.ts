import { accessWords } from '#locales/access';
import { language } from '../../../../language/language.ts';

export const { failures, words } = accessWords[language];
