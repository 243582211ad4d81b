import { z } from 'zod';
import { faultOfPath, maxLabelLength, maxPathLength, maxFacts, type KeyFact } from '#requests/facts/contract/facts';
import { atMost, defineTerm } from '../document/rules/term.ts';

const factSchema = z.strictObject({
  label: z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .max(maxLabelLength, `Must have at most ${maxLabelLength} characters.`)
    .describe('What people call it, such as Amount.'),
  path: z
    .string()
    .max(maxPathLength, `Must have at most ${maxPathLength} characters.`)
    .refine((path) => faultOfPath(path) === null, 'Must be a JSON Pointer into the arguments, such as /amount.')
    .describe('A JSON Pointer into the arguments, such as /amount or /to/iban.'),
});

/** Facts next to the buttons; empty if the tool's author or the rule chooses. */
export const facts = defineTerm({
  key: 'facts',
  schema: z
    .array(factSchema)
    .max(maxFacts, atMost(maxFacts))
    .describe('The stored values that people see next to the buttons. Default: as the tool says, else chosen by rule.')
    .default([]),
  stricter: (first: KeyFact[], other: KeyFact[]): KeyFact[] => (first.length > 0 ? first : other),
  clauses: (shown) => (shown.length === 0 ? [] : [{ kind: 'facts', labels: shown.map(({ label }) => label) }]),
});
