import { problemSentences } from '#platform/model/problem';
import { refusalSentences } from '#requests/inbox/contract/refusal';
import type { DisplayWords } from './display-words.ts';

export const displayWords: DisplayWords = {
  problems: problemSentences,
  refusals: refusalSentences,
};
