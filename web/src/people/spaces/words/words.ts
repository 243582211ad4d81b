import { peopleSpacesWords } from '#locales/people-spaces';
import { language } from '../../../language/language.ts';

export const { spaces } = peopleSpacesWords[language];
