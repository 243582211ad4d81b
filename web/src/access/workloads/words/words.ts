import { peopleWorkloadsWords } from '#locales/people-workloads';
import { language } from '../../../language/language.ts';

export const { workloads } = peopleWorkloadsWords[language];
