import type { DisplayWords } from './display-words.ts';
import { germanProblems } from './german-problems.ts';
import { germanRefusals } from './german-refusals.ts';

export const displayWords: DisplayWords = {
  problems: germanProblems,
  refusals: germanRefusals,
};
