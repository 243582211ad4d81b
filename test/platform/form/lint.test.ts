import { describe, expect, test } from '@jest/globals';
import { lintFormSchema } from '#platform/form/lint';
import type { FieldError } from '#platform/model/problem';
import { hidden } from '../../support/disguises.ts';
import { malformedSchemas } from './malformed-schemas.ts';
import { validSchemas } from './valid-schemas.ts';
import { workOf } from '../../support/work.ts';

const errorsOf = (schema: unknown): FieldError[] => {
  const result = lintFormSchema(schema);
  return result.ok ? [] : result.errors;
};
const fieldErrors = (field: unknown, name = 'field'): FieldError[] =>
  errorsOf({ type: 'object', properties: { [name]: field } });
const messageAt = (errors: FieldError[], ...path: FieldError['path']): string | undefined =>
  errors.find((error) => JSON.stringify(error.path) === JSON.stringify(path))?.message;

describe('E-26, E-27, MT-08: schemas within the subset', () => {
  const cases = validSchemas();

  test('there are at least 40, all different', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    expect(new Set(cases.map(({ schema }) => JSON.stringify(schema))).size).toBe(cases.length);
  });

  test.each(cases)('$name passes unchanged', ({ schema }) => {
    expect(lintFormSchema(schema)).toEqual({ ok: true, schema });
  });
});

describe('E-26..E-30, E-38, MT-08: schemas outside the subset', () => {
  const cases = malformedSchemas();

  test('there are at least 120, all different', () => {
    expect(cases.length).toBeGreaterThanOrEqual(120);
    expect(new Set(cases.map(({ schema }) => JSON.stringify(schema))).size).toBe(cases.length);
  });

  test.each(cases)('$name is refused at its place', ({ schema, path }) => {
    const errors = errorsOf(schema);
    expect(errors.map((error) => error.path)).toContainEqual(path);
    for (const { message } of errors)
      expect(message).toMatch(/^(Change|Choose|Give|Lower|Move|Raise|Remove|Replace|Shorten|Use) .*\S$/s);
  });
});

describe('the schema returned', () => {
  test('is a copy that later changes do not reach', () => {
    const input = { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } };
    const result = lintFormSchema(input);
    input.properties.a.enum.push('y');
    expect(result).toEqual({
      ok: true,
      schema: { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } },
    });
  });

  test('has lost $schema and a closed additionalProperties, which say nothing here', () => {
    const frame = { $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false };
    const schema = { type: 'object', properties: {} };
    expect(lintFormSchema({ ...frame, ...schema })).toEqual({ ok: true, schema });
  });

  test('has no undefined keywords', () => {
    const schema = { type: 'object', title: undefined, properties: { a: { type: 'string', title: undefined } } };
    const result = lintFormSchema(schema);
    expect(JSON.stringify(result)).toBe('{"ok":true,"schema":{"type":"object","properties":{"a":{"type":"string"}}}}');
    expect(result.ok && Object.keys(result.schema)).toEqual(['type', 'properties']);
  });

  test('keeps the fields in the order they were asked', () => {
    const properties = { zeta: { type: 'string' }, alpha: { type: 'string' } };
    const result = lintFormSchema({ type: 'object', properties });
    expect(result.ok && Object.keys(result.schema.properties)).toEqual(['zeta', 'alpha']);
  });
});

describe('hostile input', () => {
  const cyclic: Record<string, unknown> = { type: 'object' };
  cyclic['properties'] = { a: cyclic };
  const deep = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => ({})],
    ['a symbol', Symbol('schema')],
    ['a bigint', 1n],
    ['a cycle', cyclic],
    ['a bigint within', { type: 'object', properties: { a: { type: 'integer', default: 1n } } }],
    ['objects nested 200,000 deep', { type: 'object', properties: deep(200_000) }],
    ['lists nested 200,000 deep', JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
  ])('%s is refused without throwing', (_, schema) => {
    expect(errorsOf(schema)).toEqual([{ path: [], message: expect.stringMatching(/.+/) }]);
  });

  test('a getter that throws is refused without throwing', () => {
    const schema = {
      type: 'object',
      get properties(): never {
        throw new Error('gotcha');
      },
    };
    expect(errorsOf(schema)).toHaveLength(1);
  });

  test('a schema that changes between two reads is read once', () => {
    let looks = 0;
    const field = {
      get type() {
        looks += 1;
        return looks === 1 ? 'string' : 'object';
      },
    };
    const result = lintFormSchema({ type: 'object', properties: { field } });
    expect(result).toEqual({ ok: true, schema: { type: 'object', properties: { field: { type: 'string' } } } });
  });

  test('numbers JSON cannot write are refused', () => {
    expect(fieldErrors({ type: 'number', minimum: Number.NEGATIVE_INFINITY })).toHaveLength(1);
    expect(fieldErrors(JSON.parse('{"type":"number","maximum":1e999}'))).toHaveLength(1);
  });

  test('a schema of __proto__ does not reach any prototype', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","polluted":true}}}',
    );
    expect(lintFormSchema(schema).ok).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('an inherited schema does not count', () => {
    expect(lintFormSchema(Object.create({ type: 'object', properties: {} })).ok).toBe(false);
  });

  test('a large and wrong schema is refused in reasonable time', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `f${index}`);
    const work = workOf(() => {
      expect(errorsOf({ type: 'object', properties: {}, required: names })).toHaveLength(1);
      expect(fieldErrors({ type: 'string', enum: ['a'], enumNames: names.slice(0, 5_000) })).toHaveLength(1);
    });
    expect(work).toBeLessThan(160);
  });
});

describe('the report', () => {
  test('names all that is wrong at once', () => {
    const errors = errorsOf({
      type: 'array',
      properties: { a: { type: 'string', pattern: 'x', minLength: -1 }, b: { type: 'object' } },
      required: ['c'],
      allOf: [],
    });
    expect(errors.map(({ path }) => path.join('.')).toSorted()).toEqual([
      'allOf',
      'properties.a.minLength',
      'properties.a.pattern',
      'properties.b.type',
      'required.0',
      'type',
    ]);
  });

  test('stops at 50 errors', () => {
    const field = { type: 'string', pattern: 'a', const: 'a', examples: [] };
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, field]));
    expect(errorsOf({ type: 'object', properties })).toHaveLength(50);
  });

  test('a default is judged only when its field is otherwise right', () => {
    expect(fieldErrors({ type: 'integer', minimum: 5, maximum: 1, default: 'x' })).toHaveLength(1);
  });

  test('does not repeat a long keyword in full', () => {
    const [error] = fieldErrors({ type: 'string', ['k'.repeat(10_000)]: 1 });
    expect(error?.message.length).toBeLessThan(200);
  });

  test.each([
    ['pattern', /minLength/],
    ['exclusiveMinimum', /with "minimum"/],
    ['multipleOf', /integer/],
    ['$ref', /references/],
    ['if', /second form/],
    ['writeOnly', /URL mode/],
    ['constructor', /Remove "constructor": .*do not have this keyword/],
  ])('E-22, E-29: %s comes with what to do instead', (keyword, sentence) => {
    expect(messageAt(fieldErrors({ type: 'string', [keyword]: 1 }), 'properties', 'field', keyword)).toMatch(sentence);
  });

  test.each(malformedSchemas().filter(({ name }) => / (in|at) (a|an|the) /.test(name)))(
    '$name is named in its message',
    ({ schema, path }) => {
      expect(messageAt(errorsOf(schema), ...path)).toContain(JSON.stringify(path.at(-1)));
    },
  );
});

describe('AI-04: characters that hide or turn the reading', () => {
  test.each(hidden)('$what is refused in every label, for clients show it as it comes', ({ text }) => {
    const choice = { type: 'string', oneOf: [{ const: text, title: text }] };
    expect(messageAt(fieldErrors({ type: 'string' }, text), 'properties', text)).toContain(
      'Remove invisible characters',
    );
    expect(messageAt(fieldErrors({ type: 'string', title: text }), 'properties', 'field', 'title')).toBeDefined();
    for (const part of ['const', 'title'])
      expect(messageAt(fieldErrors(choice), 'properties', 'field', 'oneOf', 0, part)).toBeDefined();
    const isBreak = /[\t\r]/.test(text); // paragraphs have them
    const described = messageAt(
      fieldErrors({ type: 'string', description: text }),
      'properties',
      'field',
      'description',
    );
    expect(described === undefined).toBe(isBreak);
  });
});

describe('X-02, E-70, MT-08: forms that ask for secrets', () => {
  test.each([{ type: 'string' }, { type: 'number' }, { type: 'integer' }, { type: 'string', format: 'email' }, {}])(
    '%j named apiKey is refused with the way out',
    (field) => expect(messageAt(fieldErrors(field, 'apiKey'), 'properties', 'apiKey')).toContain('URL mode'),
  );

  test('a title that asks for a secret is refused under any name', () => {
    const errors = fieldErrors({ type: 'string', title: 'Your GitHub access token' }, 'value');
    expect(messageAt(errors, 'properties', 'value', 'title')).toContain('URL mode');
  });

  test('a name and a title that both ask for it are one error', () => {
    expect(fieldErrors({ type: 'string', title: 'Password' }, 'password')).toHaveLength(1);
  });

  test.each([
    { type: 'boolean' },
    { type: 'string', enum: ['a'] },
    { type: 'array', items: { type: 'string', enum: ['a'] } },
  ])('%j cannot give a secret away, so it may be about one', (field) =>
    expect(fieldErrors(field, 'rotateApiKey')).toEqual([]),
  );
});
