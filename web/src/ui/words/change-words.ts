import { peopleChangesWords } from '#locales/people-changes';
import { language } from '../../language/language.ts';

export const { changes, copying } = peopleChangesWords[language];
