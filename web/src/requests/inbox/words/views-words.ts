import { spoken } from '../../../language/language.ts';
import * as english from './english-views.ts';
import * as german from './german-views.ts';
import * as french from './french-views.ts';

/** The words of saved views. */
export const { savedViews } = spoken<typeof english>({ en: english, de: german, fr: french });
