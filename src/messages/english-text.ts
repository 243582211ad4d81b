import { hiddenNames } from '#platform/text/hidden-characters';
import { formatVerification } from '#people/directory/contract/user';
import { lookalikeNote } from '#platform/text/hidden-characters';
import type { TextWords } from './display-words.ts';

export const textWords: TextWords = { verification: formatVerification, lookalike: lookalikeNote, hiddenNames };
