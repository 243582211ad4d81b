import { accessPasswordWords } from '#locales/access-password';
import { language } from '../../../language/language.ts';

export const { page: words } = accessPasswordWords[language];
