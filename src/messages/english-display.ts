import { problemSentences } from '#protocol/model/problem';
import { refusalSentences } from '#protocol/model/refusal';
import type { DisplayWords } from './display-words.ts';

export const displayWords: DisplayWords = {
  problems: problemSentences,
  refusals: refusalSentences,
};
