import * as english from './english-warnings.ts';
import { spoken } from '../../language/language.ts';
import * as german from './german-warnings.ts';
import * as french from './french-warnings.ts';

export const { formatWarning } = spoken<typeof english>({ en: english, de: german, fr: french });
