import { spoken } from '../../language/language.ts';
import * as english from './english-changes.ts';
import * as german from './german-changes.ts';
import * as french from './french-changes.ts';

export const { changes, copying } = spoken<typeof english>({ en: english, de: german, fr: french });
