import { hasHiddenCharacters } from '../../text/hidden-characters/hidden-characters.ts';
import type { FieldError } from '../../model/problem/problem.ts';
import { countCharacters, hasHiddenCharactersExceptBreaks, isBlank } from '../schema/characters.ts';
import { limits } from '../schema/limits.ts';

/** Title and description of a form or a field: text a person can read, on one line and in paragraphs. */
export function lintLabels(path: FieldError['path'], labelled: Record<string, unknown>): FieldError[] {
  const { title, description } = labelled;
  return [
    ...(title === undefined ? [] : errorsAt([...path, 'title'], faultOfTitle(title))),
    ...(description === undefined ? [] : errorsAt([...path, 'description'], faultOfDescription(description))),
  ];
}

/** None or one error, as rules report it. */
export const errorsAt = (path: FieldError['path'], message: string | undefined): FieldError[] =>
  message === undefined ? [] : [{ path, message }];

/** The rules of every label that is read on one line: titles of fields and of options. */
export function faultOfTitle(title: unknown): string | undefined {
  if (typeof title !== 'string') return 'Give the title as a string.';
  if (isBlank(title)) return 'Give the title some text: it is blank.';
  if (countCharacters(title) > limits.titleLength)
    return `Shorten the title to at most ${limits.titleLength} characters.`;
  return hasHiddenCharacters(title) ? hiddenSentence : undefined;
}

/**
 * MCP clients show labels unchanged, so hidden characters would make people read something other than the stored text.
 */
export const hiddenSentence = 'Remove invisible characters: controls, direction marks, and spaces other than U+0020.';

function faultOfDescription(description: unknown): string | undefined {
  if (typeof description !== 'string') return 'Give the description as a string.';
  if (countCharacters(description) > limits.descriptionLength)
    return `Shorten the description to at most ${limits.descriptionLength} characters.`;
  return hasHiddenCharactersExceptBreaks(description) ? hiddenSentence : undefined;
}
