import { spoken } from '../../../language/language.ts';
import * as english from './english-provider.ts';
import * as german from './german-provider.ts';
import * as french from './french-provider.ts';

/** Loaded only where there are providers. */
export const { reasons, words } = spoken<typeof english>({ en: english, de: german, fr: french });
