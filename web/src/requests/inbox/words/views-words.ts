import { inboxViewsWords } from '#locales/inbox-views';
import { language } from '../../../language/language.ts';

/** The words of saved views. */
export const { savedViews } = inboxViewsWords[language];
