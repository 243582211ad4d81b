import { problemSentences } from '../problem.ts';
import { refusalSentences } from '../refusal.ts';
import type { DisplayWords } from './display-words.ts';

export const displayWords: DisplayWords = {
  problems: problemSentences,
  refusals: refusalSentences,
};
