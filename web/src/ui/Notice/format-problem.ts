import { ApiProblem } from '../../client/call-api.ts';
import { Problem, problemSentences } from '#platform/model/problem';
import { formatRefusal, type Refusal } from '#requests/inbox/contract/refusal';
import { language, shared } from '../../language/language.ts';
import { answers } from '../../language/words/words.ts';

/** What went wrong, in the reader's language. Details that only exist in English follow the sentence of their code. */
export function formatProblem(error: unknown): string {
  if (!(error instanceof Problem)) return answers.unknown;
  if (error instanceof ApiProblem && error.isUnreadable) return answers.unreadable;
  if (error.refusal) return formatInWords(error.refusal);
  const own = ownSentences[error.code];
  if (own) return own;
  const sentence = shared.problems[error.code];
  if (error.message === problemSentences[error.code]) return sentence;
  return language === 'en' ? error.message : `${sentence} ${error.message}`;
}

export const formatInWords = (refusal: Refusal): string => formatRefusal(refusal, shared.refusals);

/** A person is told what a server would be told in other words. */
const ownSentences: Partial<Record<Problem['code'], string>> = {
  unauthenticated: answers.signedOut,
  INVALID_INPUT: answers.invalid,
  'database-unavailable': answers.unavailable,
  'write-conflict': answers.conflict,
};
