import { hiddenNames } from '../text/hidden-characters.ts';
import { sayVerification } from '../user.ts';
import { lookalikeNote } from '../text/visible-text.ts';
import type { TextWords } from './display-words.ts';

export const textWords: TextWords = { verification: sayVerification, lookalike: lookalikeNote, hiddenNames };
