import type { FieldError } from '#platform/model/problem';
import { InvalidInputError } from '../errors/errors.ts';
import type { FormQuestion, Question } from './question.ts';

/** The faults of an accept's content; empty if it fits. */
export function faultsOf(question: Question, content: unknown): readonly FieldError[] {
  try {
    question.read(content);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.details;
    throw error;
  }
}

/** The same question again, with what was wrong with the answer. */
export function askAgain<Q extends FormQuestion>(question: Q, faults: readonly FieldError[]): Q {
  const { properties } = question.schema;
  const lines = faults.map(({ path: [name], message }) =>
    name === undefined ? message : `${properties[name]?.title ?? name}: ${message}`,
  );
  return { ...question, message: [question.message, 'The answer does not fit yet.', ...lines].join('\n') };
}
