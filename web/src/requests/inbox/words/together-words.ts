import { spoken } from '../../../language/language.ts';
import * as english from './english-together.ts';
import * as german from './german-together.ts';
import * as french from './french-together.ts';

/** The words of deciding several requests together. */
export const { declineAll, together } = spoken<typeof english>({ en: english, de: german, fr: french });

export type { CallSignal as RowSignal } from '#requests/inbox/contract/signal';
