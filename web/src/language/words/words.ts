import { frameAnswersWords } from '#locales/frame-answers';
import { language } from '../language.ts';

/** Words that all pages share: times, characters, permissions. */
export const { amounts, answers, colon, drafts, permissions, times } = frameAnswersWords[language];
