import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyDefaults, checkAnswer, withDefaults } from '#platform/form/answer';
import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import { runs } from '../../support/runs.ts';
import { answeredForm, wrongValue } from './schema-arbitraries.ts';
import { validSchemas } from './valid-schemas.ts';

const accept = (schema: FormSchema, content: unknown) => checkAnswer(schema, { action: 'accept', content });

/** Values near the subset: real keywords with values from anywhere. */
const nearlySchema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom(
        'type',
        'properties',
        'required',
        'enum',
        'oneOf',
        'items',
        'anyOf',
        'default',
        'minimum',
        'format',
        'title',
      ),
      fc.oneof(
        tie('schema'),
        fc.constantFrom('object', 'string', 'array', 'integer', 'email'),
        fc.array(tie('schema')),
      ),
    ),
  ),
})).schema;

describe('whatever the input', () => {
  test('the lint never throws on JSON, and a refusal says where and why', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearlySchema), (input) => {
        const result = lintFormSchema(input);
        const errors = result.ok ? [] : result.errors;
        expect(errors.every(({ path, message }) => Array.isArray(path) && message !== '')).toBe(true);
        expect(result.ok || (errors.length > 0 && errors.length <= 50)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  test('neither the lint nor the check throws on values that are not even JSON', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
    fc.assert(
      fc.property(anything, fc.constantFrom(...validSchemas()), (input, { schema }) => {
        expect(typeof lintFormSchema(input).ok).toBe('boolean');
        expect(typeof accept(schema, input).ok).toBe('boolean');
      }),
      { numRuns: runs(500) },
    );
  });

  test('what passes the lint passes it again unchanged', () => {
    fc.assert(
      fc.property(answeredForm(), ({ schema }) => {
        const once = lintFormSchema(schema);
        expect(once).toEqual({ ok: true, schema });
        expect(once.ok && lintFormSchema(once.schema)).toEqual(once);
      }),
    );
  });
});

describe('answers', () => {
  test('M-27: an answer made for a form is accepted, as it was given', () => {
    fc.assert(
      fc.property(answeredForm(), ({ schema, content }) => {
        expect(accept(schema, content)).toEqual({ ok: true, content });
      }),
    );
  });

  test('F-49: one wrong value is exactly one error, at its field', () => {
    const spoilt = answeredForm().chain(({ schema, content }) =>
      fc
        .constantFrom(...Object.entries(schema.properties))
        .chain(([name, field]) =>
          wrongValue(field).map((wrong) => ({ schema, name, content: { ...content, [name]: wrong } })),
        ),
    );
    fc.assert(
      fc.property(spoilt, ({ schema, name, content }) => {
        expect(accept(schema, content)).toMatchObject({ ok: false, errors: [{ path: [name] }] });
        const result = accept(schema, content);
        expect(result.ok ? [] : result.errors).toHaveLength(1);
      }),
    );
  });

  test('leaving a field out is an error exactly when it is required', () => {
    const lacking = answeredForm().chain(({ schema, content }) =>
      fc.constantFrom(...Object.keys(content)).map((name) => ({ schema, content, name })),
    );
    fc.assert(
      fc.property(lacking, ({ schema, content, name }) => {
        const { [name]: _, ...rest } = content;
        expect(accept(schema, rest).ok).toBe(schema.required?.includes(name) !== true);
      }),
    );
  });

  test('the defaults of a form that passes the lint always satisfy it', () => {
    fc.assert(
      fc.property(answeredForm(), ({ schema, content }) => {
        const nothingRequired = { ...schema, required: [] };
        expect(accept(nothingRequired, withDefaults(schema))).toEqual({ ok: true, content: withDefaults(schema) });
        expect(accept(schema, applyDefaults(schema, content))).toEqual({ ok: true, content });
      }),
    );
    for (const { schema } of validSchemas())
      expect(accept({ ...schema, required: [] }, withDefaults(schema)).ok).toBe(true);
  });
});
