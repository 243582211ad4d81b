import { inboxViewsWords } from '#locales/inbox-views';
import { language } from '../../../language/language.ts';

/** Words of saved views. */
export const { savedViews } = inboxViewsWords[language];
