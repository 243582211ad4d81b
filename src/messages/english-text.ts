import { hiddenNames } from '#protocol/model/text/hidden-characters';
import { formatVerification } from '#protocol/model/user';
import { lookalikeNote } from '#protocol/model/text/lookalike-words';
import type { TextWords } from './display-words.ts';

export const textWords: TextWords = { verification: formatVerification, lookalike: lookalikeNote, hiddenNames };
