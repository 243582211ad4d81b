import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkAnswer } from '#platform/form/answer';
import { type FormShape, formSchemaFromZod, parseWithZod } from '#platform/form/zod';
import type { FieldSchema } from '#platform/form/schema';
import type { FieldError } from '#platform/model/problem';

const red = z.literal('r').meta({ title: 'Red' });
const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

describe('a zod object becomes a form', () => {
  test.each<[string, z.ZodType, FieldSchema]>([
    ['text', z.string(), { type: 'string' }],
    ['text with lengths', z.string().min(2).max(5), { type: 'string', minLength: 2, maxLength: 5 }],
    ['text of one length', z.string().length(6), { type: 'string', minLength: 6, maxLength: 6 }],
    [
      'text with labels',
      z.string().describe('Why?').meta({ title: 'Reason' }),
      { type: 'string', title: 'Reason', description: 'Why?' },
    ],
    ['text with an id', z.string().meta({ id: 'Reason', title: 'Reason' }), { type: 'string', title: 'Reason' }],
    ['trimmed text', z.string().trim(), { type: 'string' }],
    ['transformed text', z.string().transform(Number), { type: 'string' }],
    ['refined text', z.string().refine(Boolean), { type: 'string' }],
    ['branded text', z.string().brand(), { type: 'string' }],
    ['read-only text', z.string().readonly(), { type: 'string' }],
    ['an email address', z.email(), { type: 'string', format: 'email' }],
    [
      'an email address by another of zod’s patterns',
      z.email({ pattern: z.regexes.html5Email }),
      { type: 'string', format: 'email' },
    ],
    ['an email address with a length', z.email().max(50), { type: 'string', format: 'email', maxLength: 50 }],
    ['a web address', z.url(), { type: 'string', format: 'uri' }],
    ['a date', z.iso.date(), { type: 'string', format: 'date' }],
    ['a date and time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['a date and time with an offset', z.iso.datetime({ offset: true }), { type: 'string', format: 'date-time' }],
    ['a number', z.number(), { type: 'number' }],
    ['a number within bounds', z.number().min(0.5).max(9), { type: 'number', minimum: 0.5, maximum: 9 }],
    ['an integer', z.int(), { type: 'integer' }],
    ['an integer said the older way', z.number().int(), { type: 'integer' }],
    ['an integer from 18', z.int().min(18), { type: 'integer', minimum: 18 }],
    ['an integer between exclusive bounds', z.int().gt(3).lt(9), { type: 'integer', minimum: 4, maximum: 8 }],
    [
      'an integer between fractional exclusive bounds',
      z.int().gt(3.5).lt(8.5),
      { type: 'integer', minimum: 4, maximum: 8 },
    ],
    ['a positive integer', z.int().positive(), { type: 'integer', minimum: 1 }],
    ['an integer of 32 bits', z.int32(), { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
    ['a yes or no', z.boolean(), { type: 'boolean' }],
    ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['an enum with an id', z.enum(['a', 'b']).meta({ id: 'Letter' }), { type: 'string', enum: ['a', 'b'] }],
    ['an enum described', z.enum(['a']).describe('Which?'), { type: 'string', enum: ['a'], description: 'Which?' }],
    ['a literal', z.literal('only'), { type: 'string', enum: ['only'] }],
    ['a literal of several values', z.literal(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['a union of literals', z.union([z.literal('a'), z.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['a union of enums', z.union([z.enum(['a', 'b']), z.literal('c')]), { type: 'string', enum: ['a', 'b', 'c'] }],
    ['a union of titled literals', z.union([red, z.literal('g').describe('Green')]), { type: 'string', oneOf: titled }],
    [
      'a union of which one literal has a title',
      z.union([red, z.literal('g')]).meta({ title: 'Colour' }),
      { type: 'string', title: 'Colour', oneOf: [titled[0], { const: 'g', title: 'g' }] as typeof titled },
    ],
    ['a list of an enum', z.array(z.enum(['a', 'b'])), { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    [
      'a list of an enum with an id, within counts',
      z
        .array(z.enum(['a', 'b']).meta({ id: 'Item' }))
        .min(1)
        .max(2),
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
    ],
    ['a list of one literal', z.array(z.literal('a')), { type: 'array', items: { type: 'string', enum: ['a'] } }],
    [
      'a list of titled literals',
      z.array(z.union([red, z.literal('g').meta({ title: 'Green' })])).default(['r']),
      { type: 'array', items: { anyOf: titled }, default: ['r'] },
    ],
    ['text with a default', z.string().default('x'), { type: 'string', default: 'x' }],
    ['a number with a default', z.number().default(0), { type: 'number', default: 0 }],
    ['a yes or no with a default', z.boolean().default(false), { type: 'boolean', default: false }],
  ])('%s', (_, field, expected) => {
    const result = formSchemaFromZod(z.object({ field }));
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.schema.properties).toEqual({ field: expected });
  });

  test('F-09: optional fields and fields with a default are not required', () => {
    const schema = z.object({ a: z.string(), b: z.string().optional(), c: z.string().default('x'), d: z.boolean() });
    const result = formSchemaFromZod(schema);
    expect(result.ok && result.schema.required).toEqual(['a', 'd']);
  });

  test('title and description of the whole, and a strict object', () => {
    const whole = z.strictObject({ a: z.string() }).describe('About it').meta({ title: 'It', id: 'Whole' });
    expect(formSchemaFromZod(whole)).toEqual({
      ok: true,
      schema: {
        type: 'object',
        title: 'It',
        description: 'About it',
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
    });
  });

  test('the types a form is made of are checked before anything runs', () => {
    const shape = {
      a: z.string(),
      b: z.int().optional(),
      c: z.array(z.enum(['x'])),
      d: z.boolean(),
    } satisfies FormShape;
    expect(formSchemaFromZod(z.object(shape)).ok).toBe(true);
  });
});

describe('E-26..E-30: what a form cannot say is refused, at its field', () => {
  test.each<[string, z.ZodType, ...FieldError['path']]>([
    ['a nested object', z.object({ a: z.string() }), 'type'],
    ['a record', z.record(z.string(), z.string()), 'type'],
    ['a list of strings', z.array(z.string()), 'items'],
    ['a list of objects', z.array(z.object({ a: z.string() })), 'items'],
    ['a tuple', z.tuple([z.string()]), 'items'],
    ['a set', z.set(z.string()), 'type'],
    ['a Date', z.date(), 'type'],
    ['a bigint', z.bigint(), 'type'],
    ['anything', z.any(), 'type'],
    ['a nullable text', z.string().nullable(), 'type'],
    ['a nullable enum', z.enum(['a']).nullable(), 'anyOf'],
    ['a union of types', z.union([z.string(), z.number()]), 'type'],
    ['a union of a literal and any text', z.union([z.literal('a'), z.string().min(2)]), 'anyOf'],
    ['a pattern', z.string().regex(/^\d{10}$/), 'pattern'],
    ['a prefix', z.string().startsWith('a'), 'pattern'],
    ['an email address of one company', z.email({ pattern: /@example\.com$/ }), 'pattern'],
    ['an email address with a second pattern', z.email().regex(/corp/), 'allOf'],
    ['a UUID', z.uuid(), 'format'],
    ['a local date and time', z.iso.datetime({ local: true }), 'pattern'],
    ['an exclusive bound of a number', z.number().positive(), 'exclusiveMinimum'],
    ['steps', z.number().multipleOf(5), 'multipleOf'],
    ['a numeric literal', z.literal(4), 'const'],
    ['a literal yes', z.literal(true), 'const'],
    ['a numeric enum', z.enum({ A: 1, B: 2 }), 'enum'],
    ['a mixed literal', z.literal(['a', 1]), 'type'],
    ['an unknown keyword from meta', z.string().meta({ 'x-order': 1 }), 'x-order'],
    ['a default that breaks the rule', z.string().min(3).default('a'), 'default'],
    ['an impossible integer', z.int().gt(3).lt(4), 'minimum'],
  ])('%s', (_, field, ...at) => {
    const result = formSchemaFromZod(z.object({ field }));
    const errors = result.ok ? [] : result.errors;
    expect(errors.map(({ path }) => path)).toContainEqual(['properties', 'field', ...at]);
  });

  test('MT-08: a secret is refused from zod as from JSON', () => {
    expect(formSchemaFromZod(z.object({ apiKey: z.string() }))).toMatchObject({
      ok: false,
      errors: [{ path: ['properties', 'apiKey'] }],
    });
  });

  test('an open object is refused', () => {
    const result = formSchemaFromZod(z.looseObject({ a: z.string() }));
    expect(result).toMatchObject({ ok: false, errors: [{ path: ['additionalProperties'] }] });
  });

  test('a schema that throws when read is refused with its reason', () => {
    const lazy = z.lazy((): z.ZodString => {
      throw new Error('not ready');
    });
    const result = formSchemaFromZod(z.object({ lazy }));
    expect(result).toMatchObject({ ok: false, errors: [{ path: [], message: expect.stringContaining('not ready') }] });
  });
});

describe('M-09: content is read with the schema it was made from', () => {
  const transfer = z
    .object({
      from: z.string().trim(),
      to: z.string(),
      amount: z.number().default(10),
      on: z.iso.date().transform((text) => new Date(text)),
    })
    .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Must be another account.' });

  test('transforms and defaults give typed data', () => {
    const result = parseWithZod(transfer, { from: ' a ', to: 'b', on: '2026-03-31' });
    expect(result).toEqual({ ok: true, data: { from: 'a', to: 'b', amount: 10, on: new Date('2026-03-31') } });
    const amount: number | undefined = result.ok ? result.data.amount : undefined;
    expect(amount).toBe(10);
  });

  test('F-49: a refinement’s error is at the refinement’s path', () => {
    expect(parseWithZod(transfer, { from: 'a', to: 'a', on: '2026-03-31' })).toEqual({
      ok: false,
      errors: [{ path: ['to'], message: 'Must be another account.' }],
    });
  });

  test('F-51: wrong types, missing and unknown fields read as they do in the check of a form', () => {
    const schema = z.strictObject({
      age: z.number(),
      name: z.string(),
      rank: z.int(),
      note: z.string('Say it in words.'),
    });
    const content = { age: 'thirty', rank: 1.5, note: 1, extra: 1 };
    const result = parseWithZod(schema, content);
    expect(result.ok ? [] : result.errors).toEqual([
      { path: ['age'], message: 'Expected number, received string' },
      { path: ['name'], message: 'This field is required.' },
      { path: ['rank'], message: 'Must be a whole number.' },
      { path: ['note'], message: 'Say it in words.' },
      { path: ['extra'], message: 'The form has no such field.' },
    ]);
    const form = formSchemaFromZod(schema);
    const checked = form.ok ? checkAnswer(form.schema, { action: 'accept', content }) : undefined;
    expect(checked).toMatchObject({
      ok: false,
      errors: [{ path: ['age'], message: 'Expected number, received string' }, {}, {}, {}, {}],
    });
  });

  test('an asynchronous schema is the author’s mistake, not the person’s', () => {
    const slow = z.object({ a: z.string().refine(async () => true) });
    expect(() => parseWithZod(slow, { a: 'x' })).toThrowProblem('INVALID_INPUT');
  });

  test('an error thrown by the author’s own refinement is not hidden', () => {
    const broken = z.object({ a: z.string().refine((text) => JSON.parse(text) === 1) });
    expect(() => parseWithZod(broken, { a: 'x' })).toThrow(SyntaxError);
  });
});
