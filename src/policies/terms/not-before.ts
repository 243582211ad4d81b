import { z } from 'zod';
import { defineTerm } from '../document/rules/term.ts';

/** May the requester set a start, and approvers move it later? */
export const notBefore = defineTerm({
  key: 'notBefore',
  schema: z
    .boolean()
    .describe('May the requester set a start, and approvers move it later? Default false.')
    .default(false),
  stricter: (first: boolean, other: boolean): boolean => first && other,
  clauses: (isPermitted) => (isPermitted ? [{ kind: 'start' }] : []),
});
