import { z } from 'zod';
import { argumentName, orNull, neither, defineTerm } from '../document/rules/term.ts';

const fieldSchema = z.looseObject({
  type: z
    .enum(
      ['string', 'number', 'integer', 'boolean', 'array'],
      'Must be string, number, integer, boolean or array: the type of a form field.',
    )
    .describe('Its type in the form.'),
});

/** Top-level arguments an approver may change. Shapes only; they must be linted with `src/protocol/form` before they are shown. */
export const editable = defineTerm({
  key: 'editable',
  schema: z
    .record(argumentName, fieldSchema)
    .describe('Top-level arguments an approver may change, as properties of an MCP form.')
    .optional()
    .transform(orNull<Record<string, Record<string, unknown>>>),
  stricter: neither,
  clauses: (fields) => (fields === null ? [] : [{ kind: 'editable', arguments: Object.keys(fields) }]),
});
