import type { FieldError } from '../../model/problem.ts';
import { InvalidInputError } from './errors.ts';
import type { FormQuestion, Question } from './question.ts';

/** What is wrong with this content of an accept; nothing where it fits. */
export function faultsOf(question: Question, content: unknown): readonly FieldError[] {
  try {
    question.read(content);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.details;
    throw error;
  }
}

/** The same question once more, which says what was wrong with the answer. */
export function askAgain<Q extends FormQuestion>(question: Q, faults: readonly FieldError[]): Q {
  const { properties } = question.schema;
  const lines = faults.map(({ path: [name], message }) =>
    name === undefined ? message : `${properties[name]?.title ?? name}: ${message}`,
  );
  return { ...question, message: [question.message, 'The answer does not fit yet.', ...lines].join('\n') };
}
