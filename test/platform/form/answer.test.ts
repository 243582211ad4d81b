import { describe, expect, test } from '@jest/globals';
import { applyDefaults, checkAnswer, withDefaults } from '#platform/form/answer';
import { lintFormSchema } from '#platform/form/lint';
import type { FieldSchema, FormSchema } from '#platform/form/schema';
import { actions } from '#requests/asking/contract/elicitation';
import { malformedAnswers } from './malformed-schemas.ts';

const form = (properties: Record<string, FieldSchema>, required: string[] = []): FormSchema => ({
  type: 'object',
  properties,
  required,
});

const user = form(
  {
    name: { type: 'string', minLength: 2 },
    age: { type: 'number' },
    colours: { type: 'array', items: { type: 'string', enum: ['red', 'green'] } },
  },
  ['name', 'age'],
);

const messageFor = (field: FieldSchema, value: unknown): string | undefined => {
  const result = checkAnswer(form({ field }), { action: 'accept', content: { field: value } });
  return result.ok ? undefined : result.errors[0]?.message;
};

describe('an accepted form', () => {
  test('F-39, M-27: content that satisfies its form is returned', () => {
    const content = { name: 'Ada', age: 36, colours: ['red'] };
    expect(checkAnswer(user, { action: 'accept', content })).toEqual({ ok: true, content });
  });

  test('what is returned is a copy that later changes do not reach', () => {
    const content = { name: 'Ada', age: 36, colours: ['red'] };
    const result = checkAnswer(user, { action: 'accept', content });
    content.colours.push('green');
    content.name = 'Eve';
    expect(result).toEqual({ ok: true, content: { name: 'Ada', age: 36, colours: ['red'] } });
  });

  test('F-49, F-51: text sent for a number is an error at the field, in words', () => {
    expect(checkAnswer(user, { action: 'accept', content: { name: 'Ada', age: 'thirty' } })).toEqual({
      ok: false,
      errors: [{ path: ['age'], message: 'Expected number, received string' }],
    });
  });

  test('every faulty field is named, once each', () => {
    const result = checkAnswer(user, {
      action: 'accept',
      content: { name: '', colours: ['blue', 'blue'], extra: 1 },
    });
    expect(result).toEqual({
      ok: false,
      errors: [
        { path: ['name'], message: 'Must be at least 2 characters.' },
        { path: ['age'], message: 'This field is required.' },
        { path: ['colours'], message: 'Choose only from the options.' },
        { path: ['extra'], message: 'The form has no such field.' },
      ],
    });
  });

  test('at most 50 errors are reported', () => {
    const content = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`extra${index}`, 1]));
    const result = checkAnswer(user, { action: 'accept', content });
    expect(result.ok ? 0 : result.errors.length).toBe(50);
  });

  test('a form without fields is accepted with empty content, or without content', () => {
    expect(checkAnswer(form({}), { action: 'accept', content: {} })).toEqual({ ok: true, content: {} });
    expect(checkAnswer(form({}), { action: 'accept' })).toEqual({ ok: true, content: {} });
    expect(checkAnswer(form({ age: { type: 'integer' } }), { action: 'accept' }).ok).toBe(false);
  });

  test('an undefined value counts as left out, as JSON would have it', () => {
    const content = { name: 'Ada', age: 1, colours: undefined, extra: undefined };
    expect(checkAnswer(user, { action: 'accept', content })).toEqual({ ok: true, content: { name: 'Ada', age: 1 } });
  });

  test('defaults are not filled in behind the person', () => {
    const schema = form({ age: { type: 'integer', default: 30 } }, ['age']);
    expect(checkAnswer(schema, { action: 'accept', content: {} }).ok).toBe(false);
  });

  test('inherited properties are not answers', () => {
    const content = Object.create({ name: 'Ada', age: 1 }) as Record<string, unknown>;
    expect(checkAnswer(user, { action: 'accept', content }).ok).toBe(false);
    const text: FieldSchema = { type: 'string' };
    expect(checkAnswer(form({ toString: text }, ['toString']), { action: 'accept', content: {} }).ok).toBe(false);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    '%d is no number to answer with',
    (value) => {
      expect(messageFor({ type: 'number' }, value)).toBe(
        'Must be a number with digits and at most one point, such as 1250.50.',
      );
    },
  );

  test('a list with a hole is not a list of options', () => {
    const holed = ['red', 'green'];
    delete holed[0];
    expect(messageFor({ type: 'array', items: { type: 'string', enum: ['red', 'green'] } }, holed)).toBe(
      'Choose only from the options.',
    );
  });
});

describe('F-45: a decline or a cancel', () => {
  test.each(['decline', 'cancel'] as const)('%s needs no content, and drops what it brings', (action) => {
    expect(checkAnswer(user, { action })).toEqual({ ok: true });
    expect(checkAnswer(user, { action, content: { name: 'Ada', age: 1 } })).toEqual({ ok: true });
    expect(checkAnswer(user, { action, content: 'anything' })).toEqual({ ok: true });
  });

  test('another word is not an answer', () => {
    const word = 'approve' as (typeof actions)[number];
    expect(checkAnswer(user, { action: word, content: { name: 'Ada', age: 1 } })).toMatchObject({
      ok: false,
      errors: [{ path: ['action'] }],
    });
  });
});

describe('F-50: messages are for the person in front of the form', () => {
  const many: FieldSchema = {
    type: 'array',
    items: { type: 'string', enum: ['a', 'b', 'c'] },
    minItems: 1,
    maxItems: 2,
  };
  test.each<[FieldSchema, unknown, string]>([
    [{ type: 'string', minLength: 3 }, 'ab', 'Must be at least 3 characters.'],
    [{ type: 'string', minLength: 1 }, '', 'Must be at least 1 character.'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'Must be at most 2 characters.'],
    [{ type: 'string', format: 'email' }, 'ada', 'Must be an email address, such as name@example.com.'],
    [{ type: 'number', minimum: 0.5 }, 0, 'Must be at least 0.5.'],
    [{ type: 'number', maximum: 9 }, 10, 'Must be at most 9.'],
    [{ type: 'integer' }, 1.5, 'Must be a whole number.'],
    [{ type: 'integer' }, 2 ** 60, 'Must be a smaller whole number.'],
    [{ type: 'boolean' }, 'yes', 'Expected boolean, received string'],
    [{ type: 'string', enum: ['a'] }, 'b', 'Choose one of the options.'],
    [many, ['a', 'a'], 'Choose each option once.'],
    [many, [], 'Choose at least 1 option.'],
    [many, ['a', 'b', 'c'], 'Choose at most 2 options.'],
    [many, 'a', 'Expected array, received string'],
    [{ type: 'string' }, null, 'Expected string, received null'],
  ])('%j answered with %j says %j', (field, value, message) => expect(messageFor(field, value)).toBe(message));

  test('a bound itself is within it', () => {
    const field: FieldSchema = { type: 'number', minimum: 0.5, maximum: 9 };
    expect([0.5, 9].map((value) => messageFor(field, value))).toEqual([undefined, undefined]);
  });

  test('lengths count characters as people do, not code units', () => {
    const field: FieldSchema = { type: 'string', minLength: 2, maxLength: 2 };
    expect(messageFor(field, '👍👍')).toBeUndefined();
    expect(messageFor(field, '👍')).toBe('Must be at least 2 characters.');
  });
});

describe('M-27: malformed answers', () => {
  const cases = malformedAnswers();

  test('there are at least 80, all different, each against a schema that passes the lint', () => {
    expect(cases.length).toBeGreaterThanOrEqual(80);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    for (const { name, schema } of cases) expect([name, lintFormSchema(schema).ok]).toEqual([name, true]);
  });

  test.each(cases)('$name is refused at its place', ({ schema, answer }) => {
    const result = checkAnswer(schema, { action: 'accept', content: answer });
    const errors = result.ok ? [] : result.errors;
    expect(errors).toHaveLength(1);
    const place = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? 1 : 0;
    expect(errors[0]?.path).toHaveLength(place);
    expect(errors[0]?.message).not.toBe('');
  });
});

describe('defaults', () => {
  const schema = form({
    name: { type: 'string', default: 'John' },
    note: { type: 'string' },
    sure: { type: 'boolean', default: false },
    colours: { type: 'array', items: { type: 'string', enum: ['red', 'green'] }, default: ['red'] },
  });

  test('a form starts with the defaults of the fields that have one', () => {
    expect(withDefaults(schema)).toEqual({ name: 'John', sure: false, colours: ['red'] });
  });

  test('changing the starting values does not change the schema', () => {
    const starting = withDefaults(schema);
    (starting['colours'] as string[]).push('green');
    expect(withDefaults(schema)['colours']).toEqual(['red']);
  });

  test('applying defaults keeps what was answered, even an empty or a no', () => {
    expect(applyDefaults(schema, { name: '', sure: true, colours: [] })).toEqual({ name: '', sure: true, colours: [] });
    expect(applyDefaults(schema, { note: 'x' })).toEqual({ name: 'John', note: 'x', sure: false, colours: ['red'] });
  });
});
