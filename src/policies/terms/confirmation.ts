import { z } from 'zod';
import { faultOfPath, maxPathLength } from '#requests/facts/contract/facts';
import { maxTypedLength, type ConfirmationRule } from '#requests/facts/contract/orders';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { orNull, allOf, defineTerm } from '../document/rules/term.ts';

/** All texts that approvers type before they approve. */
export const confirmation = defineTerm({
  key: 'confirmation',
  schema: z
    .strictObject({
      path: z
        .string()
        .max(maxPathLength, `Must have at most ${maxPathLength} characters.`)
        .refine((path) => faultOfPath(path) === null, 'Must be a JSON Pointer into the arguments, such as /name.')
        .describe('A JSON Pointer to the argument whose value is typed, such as /name.')
        .optional()
        .transform(orNull),
      text: z
        .string()
        .trim()
        .min(1, 'Must not be empty.')
        .max(maxTypedLength, `Must have at most ${maxTypedLength} characters.`)
        .refine((text) => !hasHiddenCharacters(text), 'Must have no control or hidden characters.')
        .describe('The text that is typed, such as delete everything.')
        .optional()
        .transform(orNull),
    })
    .refine(({ path, text }) => (path === null) !== (text === null), 'Must have exactly one of `path` and `text`.')
    .transform((rule): ConfirmationRule[] => [rule])
    .describe('What approvers must type before they approve: the value of an argument, or a text.')
    .default([]),
  stricter: allOf<ConfirmationRule>,
  clauses: (rules) => rules.map((rule) => ({ kind: 'confirmation', ...rule })),
});
