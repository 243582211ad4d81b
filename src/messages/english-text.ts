import { hiddenNames } from '#platform/text/hidden-characters/hidden-characters';
import { formatVerification } from '#people/directory/contract/user';
import { lookalikeNote } from '#platform/text/hidden-characters/lookalike-words';
import type { TextWords } from './display-words.ts';

export const textWords: TextWords = { verification: formatVerification, lookalike: lookalikeNote, hiddenNames };
