import { checkAnswer, type FormContent } from '#platform/form/answer';
import type { ResultSchema } from '#platform/form/schema';
import type { Action } from '../../contract/elicitation.ts';
import { Problem } from '#platform/model/problem';

export interface Answer {
  action: Action;
  content?: FormContent | undefined;
}

/** The content of an answer, validated by the stored schema; problem INVALID_INPUT with one error per field. */
export function acceptedContent(schema: ResultSchema | null, answer: Answer): FormContent | undefined {
  if (!schema) return undefined;
  const { action, content } = answer;
  const checked = checkAnswer(schema, content === undefined ? { action } : { action, content });
  if (checked.ok) return checked.content;
  const errors = checked.errors.map(({ path, message }) => ({ path: ['content', ...path], message }));
  throw new Problem('INVALID_INPUT', { errors });
}
